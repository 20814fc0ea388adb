#!/usr/bin/env python3
"""Makes a port of a command-line tool that prints the digest of its input.

usage: cli.py --name NAME --version-from COMMAND [--binary] --sum TEMPLATE [--sum TEMPLATE]...

A template is the tool's command, quoted as in a shell, in which stand for

    {size} {bits}          the length of the digest in bytes, and in bits
    {key} {salt} {person}  what they say, in hex
    {file}                 the name of a file with the message, for a tool that does
                           not read it from its standard input
    [...]                  a part that is left out if the request does not give what
                           stands in it

    cli.py --name b2sum --version-from 'b2sum --version' --sum 'b2sum [-l {bits}]'

A request goes to the first template that mentions all that the request gives, and
needs nothing else; if there is none, it is unsupported. A template that needs a length
is given 64 bytes if the request has none; one that mentions no length is asked for 64
bytes only. The digest is the first word of the output that is hex, or, with --binary,
the output. A tool that ends with another status than 0 has refused.
"""

import argparse, os, re, shlex, subprocess, sys, tempfile, threading

HEX = "(?:[0-9a-f]{2})"
NUMBER = "(?:0|[1-9][0-9]*)"
PLACEHOLDER = re.compile("{(size|bits|key|salt|person|file)}")
PIPE = subprocess.PIPE


class Unsupported(Exception):
    pass


def match(pattern, text):
    if not re.fullmatch(pattern, text):
        raise ValueError("malformed: " + text[:40])
    return text


def parameters(words):
    given = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise ValueError("not key=value: " + word[:40])
        if key not in ("size", "key", "salt", "person"):
            raise Unsupported("key " + key)
        if key in given:
            raise ValueError("given twice: " + key)
        given[key] = match(NUMBER if key == "size" else HEX + "*", value)
    return given


def message(steps):
    """The bytes of the only write, and how many times over they are written."""
    for step in steps:
        if re.search("[g-zG-Z]", step.partition("*")[0]):
            raise Unsupported("step " + step)
        match(rf"-|{HEX}+(\*[1-9][0-9]*)?", step)
    if len(steps) > 1:
        raise Unsupported("a second write")
    digits, _, count = (steps or ["-"])[0].partition("*")
    data, count = bytes.fromhex(digits.strip("-")), int(count or 1)
    if len(data) * count > 1 << 33:
        raise Unsupported("a message above 2^33 bytes")
    return data, count


def placeholders(text):
    return {"size" if name == "bits" else name for name in PLACEHOLDER.findall(text)}


def fill(template, given):
    """The words of the command, with {file} left in, or None if it cannot be asked this."""
    size = given.get("size", "64")
    values = {"size": size, "bits": str(8 * int(size)), "file": "{file}"} | given
    offered = placeholders(template) | ({"size"} if size == "64" else set())
    parts = re.split(r"[][]", template)  # every other one was in brackets
    text = "".join(p for i, p in enumerate(parts) if i % 2 == 0 or placeholders(p) <= given.keys())
    if given.keys() <= offered and placeholders(text) <= values.keys():
        return shlex.split(PLACEHOLDER.sub(lambda m: values[m[1]], text))


def write(file, data, count):
    """Writes the bytes so many times over, as far as there is somebody who reads them."""
    at_once = max(1, (1 << 20) // max(1, len(data)))
    try:
        with file:
            for done in range(0, count, at_once):
                file.write(data * min(at_once, count - done))
    except BrokenPipeError:
        pass


def run(command, data, count):
    if any("{file}" in word for word in command):
        with tempfile.NamedTemporaryFile() as file:
            write(open(file.name, "wb"), data, count)
            return run([word.replace("{file}", file.name) for word in command], b"", 1)
    process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    stdin, process.stdin = process.stdin, None  # communicate would close it
    writer = threading.Thread(target=write, args=(stdin, data, count))
    writer.start()
    out, err = process.communicate()
    writer.join()
    if process.returncode:
        raise ValueError((err.decode(errors="replace").splitlines() or ["status %d" % process.returncode])[0])
    return out


def answer(line, options):
    words = line.split(" ")
    colon = words.index(":") if ":" in words else len(words)
    verb, steps = words[0], words[colon + 1 :]
    if verb == "about":
        if colon > 1:
            raise Unsupported("key " + words[1])
        if colon < len(words):
            raise ValueError("about takes no steps")
        return "name=%s version=%s protocol=1" % (options.name, options.version)
    if verb != "sum":
        raise Unsupported("verb " + verb)
    given = parameters(words[1:colon])
    data, count = message(steps)
    command = next(filter(None, (fill(template, given) for template in options.sum)), None)
    if command is None:
        raise Unsupported("no template for " + ", ".join(given) if given else "no template without a key")
    out = run(command, data, count)
    if options.binary:
        return out.hex()
    digest = re.search(r"(?<!\S)([0-9a-fA-F]{2})+(?!\S)", out.decode(errors="replace"))
    if not digest:
        raise ValueError("no digest in the output: " + out.decode(errors="replace")[:80])
    return digest[0].lower()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for option in "--name", "--version-from":
        parser.add_argument(option, required=True)
    parser.add_argument("--binary", action="store_true")
    parser.add_argument("--sum", required=True, action="append")
    options = parser.parse_args()
    os.environ["LC_ALL"] = "C"  # messages in ASCII
    try:
        text = subprocess.check_output(shlex.split(options.version_from), stderr=subprocess.STDOUT)
        options.version = re.search(r"\d+(\.\w+)+|$", text.decode())[0] or sys.exit("no version: " + options.version_from)
    except (OSError, subprocess.SubprocessError) as e:
        sys.exit(str(e))
    for line in sys.stdin.buffer:
        try:
            if len(line) > (1 << 20) + 2:
                raise ValueError("a line of more than 2^20 bytes")
            text = "ok " + answer(line.decode("ascii").rstrip("\r\n"), options)
        except Unsupported as e:
            text = "unsupported " + str(e)
        except Exception as e:
            text = "error " + (str(e) or repr(e))
        print(re.sub("[^ -~]", "?", text), flush=True)


if __name__ == "__main__":
    main()
