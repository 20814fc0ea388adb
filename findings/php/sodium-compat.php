<?php
// sodium_compat of WordPress 6.1.9: the key "0" is taken for none, salts and personalizations of 17 bytes are cut, and a
// digest of 0 bytes is not refused.
// $ php php/sodium-compat.php
require __DIR__ . '/../../adapters/build/php/sodium_compat/autoload.php';

use ParagonIE_Sodium_Compat as Sodium;

Sodium::$disableFallbackForUnitTests = true; // PHP's own extension is not to be called

function digest(string $key, int $size, string $salt, string $person): string
{
    $state = Sodium::crypto_generichash_init_salt_personal($key, $size, $salt, $person);
    Sodium::crypto_generichash_update($state, 'abc');
    return bin2hex(Sodium::crypto_generichash_final($state, $size));
}

$none = digest('', 16, '', '');
echo "the key \"0\"\n";
echo 'got  ', digest('0', 16, '', ''), ", which is that without a key, $none\n";
echo "want that with the key, or an exception\n";
echo "a salt of 17 bytes\n";
echo 'got  ', digest('', 16, str_repeat('s', 17), ''), ', which is that of 16, ', digest('', 16, str_repeat('s', 16), ''), "\n";
echo "want an exception\n";
echo "a personalization of 17 bytes\n";
echo 'got  ', digest('', 16, '', str_repeat('p', 17)), ', which is that of 16, ', digest('', 16, '', str_repeat('p', 16)), "\n";
echo "want an exception\n";
echo "a digest of 0 bytes\n";
echo 'got  "', digest('', 0, '', ''), "\"\n";
echo "want an exception\n";
