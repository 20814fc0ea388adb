//! Zig's standard library: std.crypto.hash.blake2.Blake2b, of which the digest length is part of the type, documented
//! on ziglang.org/documentation. A state is a value, and a copy of it a copy of the state; nothing is said of a second final.

const std = @import("std");
const protocol = @import("protocol.zig");

const adapter = protocol.Adapter(struct {
    pub const name = "zig-std";
    pub const version = @import("builtin").zig_version_string;
    pub const min_size = 1;
    pub const max_size = 64;

    pub fn Hash(size: comptime_int) type {
        return struct {
            state: Blake2b,

            const Self = @This();
            const Blake2b = std.crypto.hash.blake2.Blake2b(8 * size);

            pub fn init(p: protocol.Params) protocol.Fault!Self {
                return .{ .state = .init(.{
                    .key = p.key,
                    .salt = try optional16("salt", p.salt),
                    .context = try optional16("person", p.person),
                }) };
            }

            pub fn update(self: *Self, data: []const u8) void {
                self.state.update(data);
            }

            pub fn final(self: *Self, digest: *[size]u8) void {
                self.state.final(digest);
            }

            pub fn clone(self: *const Self) Self {
                return self.*;
            }
        };
    }
});

fn optional16(comptime what: []const u8, bytes: ?[]const u8) protocol.Fault!?[16]u8 {
    const given = bytes orelse return null;
    if (given.len != 16) return protocol.unsupported(what ++ " of other than 16 bytes", .{});
    return given[0..16].*;
}

pub const main = adapter.main;
pub const panic = adapter.panic;
