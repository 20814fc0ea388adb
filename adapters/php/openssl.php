<?php
// OpenSSL's BLAKE2b in PHP: https://www.php.net/manual/en/function.openssl-digest.php

declare(strict_types=1);

require __DIR__ . '/protocol.php';

function make(array $params): OneShot
{
    if (($params['size'] ?? 64) !== 64) {
        throw new Unsupported('the digest has 64 bytes');
    }
    return new OneShot(fn (string $message): string => openssl_digest($message, 'blake2b512', true));
}

serve('php-openssl', explode(' ', OPENSSL_VERSION_TEXT)[1], 'make', ['size'], PIECE);
