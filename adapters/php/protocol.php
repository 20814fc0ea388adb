<?php
// The line protocol of blake2btest (subprocess/PROTOCOL.md), for PHP's ports.

declare(strict_types=1);

const LINE = 1 << 20; // bytes in a request
const PIECE = 1 << 27; // bytes in one write

ini_set('display_errors', 'stderr');
ini_set('memory_limit', '2G');
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, $level, $file, $line);
});

/** The port has no way to be asked that. */
class Unsupported extends Exception
{
}

/** A state for an API that takes the whole message at once and gives its digest. */
class OneShot
{
    private ?string $message = null;
    private bool $ended = false;

    public function __construct(private Closure $function)
    {
    }

    public function update(string $data): void
    {
        if ($this->message !== null) {
            throw new Unsupported('the API takes the message in one piece');
        }
        $this->message = $data;
    }

    public function digest(): string
    {
        if ($this->ended) {
            throw new Unsupported('the API has no state');
        }
        $this->ended = true;
        return ($this->function)($this->message ?? '');
    }
}

/**
 * Answers requests until the input ends.
 *
 * $keys are those that the port has, among size, key, salt and person. $make is
 * given the ones that are in the request, and returns a state with
 * update(string) and digest(), and copy() and save(), each if the port's API has
 * it; save returns the state to go on with. A message has at most $limit bytes.
 */
function serve(string $name, string $version, callable $make, array $keys, int $limit = 1 << 33): void
{
    $name = getenv('ADAPTER_NAME') ?: $name;
    while (($line = fgets(STDIN)) !== false) {
        try {
            $words = answer($line, $make, $keys, $limit) ?? ["name=$name", "version=$version", 'protocol=1'];
            $text = implode(' ', ['ok', ...$words]);
        } catch (Unsupported $e) {
            $text = 'unsupported ' . printable($e->getMessage());
        } catch (Throwable $e) {
            $text = 'error ' . printable(get_class($e) . ': ' . $e->getMessage());
        }
        fwrite(STDOUT, "$text\n");
    }
}

function printable(string $message): string
{
    return substr(preg_replace('/[^ -~]/', '?', $message), 0, 200);
}

/** Returns the words of the answer, null for about. */
function answer(string $line, callable $make, array $keys, int $limit): ?array
{
    if (strlen($line) > LINE + strlen("\r\n")) {
        throw new ValueError('line of more than ' . LINE . ' bytes');
    }
    $words = explode(' ', preg_replace('/\r?\n\z/', '', $line));
    if ($words === ['']) {
        throw new ValueError('empty line');
    }
    $verb = array_shift($words);
    $colon = array_search(':', $words, true);
    $pairs = $colon === false ? $words : array_slice($words, 0, $colon);
    $steps = $colon === false ? [] : array_slice($words, $colon + 1);
    if ($verb === 'about') {
        parse_keys($pairs, []);
        if ($colon !== false) {
            throw new ValueError('about takes no steps');
        }
        return null;
    }
    if ($verb !== 'sum') {
        throw new Unsupported("verb $verb");
    }
    return sum($make, parse_keys($pairs, $keys), array_map('parse_step', $steps), $limit);
}

function parse_keys(array $pairs, array $keys): array
{
    $given = [];
    foreach ($pairs as $pair) {
        [$key, $value] = [...explode('=', $pair, 2), null];
        if ($value === null) {
            throw new ValueError("\"$pair\" is not key=value");
        }
        if (array_key_exists($key, $given)) {
            throw new ValueError("key $key given twice");
        }
        if (!in_array($key, $keys, true)) {
            throw new Unsupported("key $key");
        }
        $given[$key] = $key === 'size' ? parse_number($value, (1 << 32) - 1) : parse_hex($value);
    }
    return $given;
}

function parse_number(string $digits, int $max): int
{
    if (!preg_match('/\A(0|[1-9][0-9]*)\z/', $digits)) {
        throw new ValueError("\"$digits\" is not a decimal number");
    }
    if (strlen($digits) > 18 || (int) $digits > $max) {
        throw new ValueError("$digits is above $max");
    }
    return (int) $digits;
}

function parse_hex(string $digits): string
{
    if (!preg_match('/\A[0-9a-f]*\z/', $digits) || strlen($digits) % 2) {
        throw new ValueError("\"$digits\" is not hex in lower case");
    }
    return hex2bin($digits);
}

/** Returns bytes and how often to write them, or the step's name and 0. */
function parse_step(string $word): array
{
    if (preg_match('/[g-z]/i', $word)) {
        return [$word, 0];
    }
    if ($word === '-') {
        return ['', 1];
    }
    [$digits, $count] = [...explode('*', $word, 2), '1'];
    $data = parse_hex($digits);
    $times = parse_number($count, PHP_INT_MAX);
    if ($data === '' || $times === 0) {
        throw new ValueError("\"$word\" writes nothing: no bytes are -");
    }
    return [$data, $times];
}

function sum(callable $make, array $params, array $steps, int $limit): array
{
    $state = $make($params);
    $aside = null;
    $digests = [];
    $total = 0;
    foreach ([...$steps, ['sum', 0]] as [$step, $times]) {
        if ($times > 0) {
            $total += strlen($step) * $times;
            if ($total > $limit) {
                throw new Unsupported("a message above $limit bytes");
            }
            write($state, $step, $times);
        } elseif ($step === 'sum') {
            $digests[] = bin2hex($state->digest());
        } elseif ($step === 'swap') {
            if ($aside === null) {
                throw new ValueError('swap with no state aside');
            }
            [$state, $aside] = [$aside, $state];
        } elseif ($step === 'new') {
            if ($state instanceof OneShot) {
                throw new Unsupported('new: the API has no state');
            }
            $aside = $make($params);
        } elseif ($step === 'clone' && method_exists($state, 'copy')) {
            $aside = $state->copy();
        } elseif ($step === 'save' && method_exists($state, 'save')) {
            $state = $state->save();
        } else {
            throw new Unsupported("step $step");
        }
    }
    return $digests;
}

function write(object $state, string $data, int $times): void
{
    $whole = max(1, intdiv(PIECE, strlen($data) ?: 1));
    if ($times > $whole) {
        $piece = str_repeat($data, $whole);
        for (; $times > $whole; $times -= $whole) {
            $state->update($piece);
        }
    }
    $state->update(str_repeat($data, $times));
}

/**
 * Tells what a refusal of libsodium's is: it documents digests and keys of 16 to
 * 64 bytes, so that shorter ones are not offered.
 */
function refused(Throwable $e, int $size, string $key): Throwable
{
    $allowed = $size >= 1 && $size <= 64 && strlen($key) <= 64;
    return $allowed ? new Unsupported('documented for 16 to 64 bytes: ' . $e->getMessage()) : $e;
}
