<?php
// PHP's sodium extension, on libsodium: https://www.php.net/manual/en/function.sodium-crypto-generichash-init.php
//
// The state is a string there, "serialized as a raw binary string": an
// assignment copies it, and it can be stored.

declare(strict_types=1);

require __DIR__ . '/protocol.php';

class State
{
    private bool $ended = false;

    public function __construct(private ?string $state, private int $size)
    {
    }

    public function update(string $data): void
    {
        sodium_crypto_generichash_update($this->alive()->state, $data);
    }

    public function digest(): string
    {
        $this->alive()->ended = true;
        return sodium_crypto_generichash_final($this->state, $this->size);
    }

    public function copy(): State
    {
        return clone $this->alive();
    }

    public function save(): State
    {
        return new State(hex2bin(bin2hex($this->alive()->state)), $this->size);
    }

    private function alive(): State
    {
        return $this->ended ? throw new Unsupported('final ends the state') : $this;
    }
}

function make(array $params): State
{
    ['size' => $size, 'key' => $key] = $params + ['size' => 64, 'key' => ''];
    try {
        return new State(sodium_crypto_generichash_init($key, $size), $size);
    } catch (SodiumException $e) {
        throw refused($e, $size, $key);
    }
}

serve('php-sodium', SODIUM_LIBRARY_VERSION, 'make', ['size', 'key']);
