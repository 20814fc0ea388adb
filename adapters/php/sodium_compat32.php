<?php
// sodium_compat's code for PHPs with integers of 32 bits: https://github.com/paragonie/sodium_compat, src/Crypto32.php
//
// Of its public functions the size of PHP's integers chooses the code, so that
// what they call is called here. It has no key that is too short.

declare(strict_types=1);

require __DIR__ . '/protocol.php';
require __DIR__ . '/../build/php/sodium_compat/autoload.php';

class State
{
    public function __construct(private string $state, private int $size)
    {
    }

    public function update(string $data): void
    {
        $this->state = ParagonIE_Sodium_Crypto32::generichash_update($this->state, $data);
    }

    public function digest(): string
    {
        return ParagonIE_Sodium_Crypto32::generichash_final($this->state, $this->size);
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
    ['size' => $size, 'key' => $key] = $params + ['size' => 64, 'key' => ''];
    return new State(ParagonIE_Sodium_Crypto32::generichash_init($key, $size), $size);
}

$version = trim(file_get_contents(__DIR__ . '/../build/php/version')); // Debian's of wordpress
serve('sodium-compat-32', $version, 'make', ['size', 'key'], 1 << 18);
