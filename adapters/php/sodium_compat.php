<?php
// sodium_compat, libsodium in pure PHP: https://github.com/paragonie/sodium_compat, crypto_generichash in src/Compat.php
//
// The state is a string there, "encoded as a string (to be 100% compatible with
// ext/libsodium)": an assignment copies it, and it can be stored.

declare(strict_types=1);

require __DIR__ . '/protocol.php';
require __DIR__ . '/../build/php/sodium_compat/autoload.php';

ParagonIE_Sodium_Compat::$disableFallbackForUnitTests = true; // not PHP's extension

class State
{
    public function __construct(private string $state, private int $size)
    {
    }

    public function update(string $data): void
    {
        ParagonIE_Sodium_Compat::crypto_generichash_update($this->state, $data);
    }

    public function digest(): string
    {
        return ParagonIE_Sodium_Compat::crypto_generichash_final($this->state, $this->size);
    }

    public function copy(): State
    {
        return clone $this;
    }

    public function save(): State
    {
        return new State(hex2bin(bin2hex($this->state)), $this->size);
    }
}

function make(array $params): State
{
    $all = $params + ['size' => 64, 'key' => '', 'salt' => '', 'person' => ''];
    ['size' => $size, 'key' => $key, 'salt' => $salt, 'person' => $person] = $all;
    try {
        $state = isset($params['salt']) || isset($params['person'])
            ? ParagonIE_Sodium_Compat::crypto_generichash_init_salt_personal($key, $size, $salt, $person)
            : ParagonIE_Sodium_Compat::crypto_generichash_init($key, $size);
    } catch (SodiumException $e) {
        throw refused($e, $size, $key);
    }
    return new State($state, $size);
}

$version = trim(file_get_contents(__DIR__ . '/../build/php/version')); // Debian's of wordpress
serve('sodium-compat', $version, 'make', ['size', 'key', 'salt', 'person'], 1 << 20);
