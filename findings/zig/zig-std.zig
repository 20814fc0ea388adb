// Zig 0.17.1, std.crypto.hash.blake2: a key of 65 bytes is not refused, and a second final gives another digest.
// $ ../adapters/build/zig/venv/bin/python -m ziglang run zig/zig-std.zig --cache-dir ../adapters/build/zig/cache --global-cache-dir ../adapters/build/zig/cache
const std = @import("std");
const Blake2b = std.crypto.hash.blake2.Blake2b(64);

pub fn main() void {
    const print = std.debug.print;
    const key: [65]u8 = @splat(1);
    var got: [8]u8 = undefined;
    var want: [8]u8 = undefined;

    print("a key of 65 bytes\n", .{});
    Blake2b.hash("abc", &got, .{ .key = &key });
    print("got  {x}\n", .{got});
    print("want a failed assertion: key_length_max is {d}\n", .{Blake2b.key_length_max});

    print("a second final\n", .{});
    var hash = Blake2b.init(.{});
    hash.final(&want);
    hash.final(&got);
    print("got  {x}\n", .{got});
    print("want {x}\n", .{want});
}
