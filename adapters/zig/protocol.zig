//! The line protocol (subprocess/PROTOCOL.md), written once for all ports. A port says in its own file how
//! its API is called; whatever it does not say is answered `unsupported` here.

const std = @import("std");
const mem = std.mem;

const max_line = 1 << 20; // bytes of a request
const max_write = 1 << 27; // bytes that are fed at once
const max_message = 1 << 33;

/// What is asked of a hash, as it stands in the request.
pub const Params = struct {
    size: u32 = 64,
    key: ?[]const u8 = null,
    salt: ?[]const u8 = null,
    person: ?[]const u8 = null,
};

/// Why there is no answer. The text is in `fault`.
pub const Fault = error{ Unsupported, Refused };

var fault: [256]u8 = undefined;
var fault_text: []const u8 = "";

fn explain(comptime format: []const u8, args: anytype) void {
    fault_text = std.fmt.bufPrint(&fault, format, args) catch &fault;
}

pub fn unsupported(comptime format: []const u8, args: anytype) Fault {
    explain(format, args);
    return error.Unsupported;
}

pub fn refused(comptime format: []const u8, args: anytype) Fault {
    explain(format, args);
    return error.Refused;
}

/// The adapter of a port, which has a name, a version, the least and the greatest digest length (`min_size` and
/// `max_size`), and for each length a type `Hash(size)` with
///
///     init(Params) Fault!Hash, update(*Hash, []const u8) void, final(*Hash, *[size]u8) void
///
/// and, if the API has it, clone(*const Hash) Hash. What it does after final is for the API to say. The port's file
/// has to declare `main` and `panic` as the adapter's.
pub fn Adapter(comptime port: type) type {
    return struct {
        var input: *std.Io.Reader = undefined;
        var output: *std.Io.Writer = undefined;
        var arena: std.heap.ArenaAllocator = undefined;
        var name: []const u8 = port.name;

        /// What a port's failed safety check does: it is the answer, and the next request comes.
        pub const panic = std.debug.FullPanic(panicked);

        fn panicked(message: []const u8, _: ?usize) noreturn {
            answer("error panic: ", message);
            serve();
        }

        pub fn main(init: std.process.Init) void {
            var output_buffer: [1 << 16]u8 = undefined;
            const input_buffer = init.arena.allocator().alloc(u8, max_line + 2) catch fail("no memory");
            var reader = std.Io.File.stdin().readerStreaming(init.io, input_buffer);
            var writer = std.Io.File.stdout().writerStreaming(init.io, &output_buffer);
            input, output = .{ &reader.interface, &writer.interface };
            arena = .init(init.gpa);
            if (init.environ_map.get("ADAPTER_NAME")) |other| name = other;
            serve();
        }

        fn serve() noreturn {
            while (true) {
                _ = arena.reset(.{ .retain_with_limit = max_line });
                const line = input.takeDelimiter('\n') catch |err| switch (err) {
                    error.ReadFailed => fail("the input cannot be read"),
                    error.StreamTooLong => {
                        _ = input.discardDelimiterInclusive('\n') catch std.process.exit(0);
                        answer("unsupported ", "so long a line");
                        continue;
                    },
                } orelse std.process.exit(0);
                if (request(mem.trimEnd(u8, line, "\r"))) |words|
                    answer("ok ", words)
                else |err| switch (err) {
                    error.Unsupported => answer("unsupported ", fault_text),
                    error.Refused => answer("error ", fault_text),
                    error.OutOfMemory => answer("unsupported ", "out of memory"),
                }
            }
        }

        fn answer(kind: []const u8, text: []const u8) void {
            output.writeAll(kind) catch fail("the output cannot be written");
            for (text) |c| output.writeByte(if (std.ascii.isPrint(c)) c else '?') catch fail("the output cannot be written");
            output.writeByte('\n') catch fail("the output cannot be written");
            output.flush() catch fail("the output cannot be written");
        }

        fn request(line: []const u8) (Fault || mem.Allocator.Error)![]const u8 {
            if (line.len == 0) return refused("empty line", .{});
            var words = mem.splitScalar(u8, line, ' ');
            const verb = words.first();
            if (mem.eql(u8, verb, "about")) {
                if (words.next()) |word| {
                    if (mem.eql(u8, word, ":")) return refused("about takes no steps", .{});
                    return unsupported("key {s}", .{word[0..@min(word.len, 40)]});
                }
                return std.fmt.allocPrint(arena.allocator(), "name={s} version={s} protocol=1", .{ name, port.version });
            }
            if (!mem.eql(u8, verb, "sum")) return unsupported("verb {s}", .{verb[0..@min(verb.len, 40)]});
            const params = try parameters(&words);
            return switch (params.size) {
                inline port.min_size...port.max_size => |size| sum(port.Hash(size), size, params, &words),
                else => unsupported("a size that is no type", .{}),
            };
        }

        fn parameters(words: *mem.SplitIterator(u8, .scalar)) (Fault || mem.Allocator.Error)!Params {
            var params: Params = .{};
            var given: std.EnumSet(enum { size, key, salt, person }) = .empty;
            while (words.next()) |word| {
                if (mem.eql(u8, word, ":")) break;
                const key, const value = mem.cutScalar(u8, word, '=') orelse
                    return refused("a word that is not key=value", .{});
                const which = std.meta.stringToEnum(@TypeOf(given).Key, key) orelse
                    return unsupported("key {s}", .{key[0..@min(key.len, 40)]});
                if (given.contains(which)) return refused("key {s} given twice", .{key});
                given.insert(which);
                switch (which) {
                    .size => params.size = try number(u32, value),
                    .key => params.key = try unhex(value),
                    .salt => params.salt = try unhex(value),
                    .person => params.person = try unhex(value),
                }
            }
            return params;
        }

        fn sum(Hash: type, size: comptime_int, params: Params, steps: *mem.SplitIterator(u8, .scalar)) ![]const u8 {
            var hash: Hash = try .init(params);
            var aside: ?Hash = null;
            var digest: [size]u8 = undefined;
            var digests: std.ArrayList(u8) = .empty;
            var length: u64 = 0;
            while (steps.next()) |step| {
                if (mem.eql(u8, step, "sum")) {
                    hash.final(&digest);
                    try digests.print(arena.allocator(), "{x} ", .{&digest});
                } else if (mem.eql(u8, step, "new")) {
                    aside = try .init(params);
                } else if (@hasDecl(Hash, "clone") and mem.eql(u8, step, "clone")) {
                    aside = hash.clone();
                } else if (mem.eql(u8, step, "swap")) {
                    if (aside == null) return refused("swap with no state aside", .{});
                    mem.swap(Hash, &hash, &aside.?);
                } else {
                    length += try write(&hash, step, max_message - length);
                }
            }
            hash.final(&digest);
            try digests.print(arena.allocator(), "{x}", .{&digest});
            return digests.items;
        }

        /// One call with all the bytes, or several above `max_write`.
        fn write(hash: anytype, step: []const u8, limit: u64) !u64 {
            const digits, const count = mem.cutScalar(u8, step, '*') orelse .{ step, null };
            for (digits) |c| if (std.ascii.isAlphabetic(c) and !std.ascii.isHex(c))
                return unsupported("step {s}", .{step[0..@min(step.len, 40)]});
            const unit = if (mem.eql(u8, step, "-")) "" else try unhex(digits);
            if (unit.len == 0 and step.len != 1) return refused("an empty word, or a write of no bytes that has a count", .{});
            const times = if (count) |text| try number(u64, text) else 1;
            if (times == 0) return refused("a count of 0", .{});
            if (unit.len *| times > limit) return unsupported("a message of more than {d} bytes", .{max_message});
            if (times == 1) {
                hash.update(unit);
                return unit.len;
            }
            const at_once = @min(times, max_write / unit.len);
            const buffer = try arena.allocator().alloc(u8, at_once * unit.len);
            for (0..at_once) |i| @memcpy(buffer[i * unit.len ..][0..unit.len], unit);
            for (0..times / at_once) |_| hash.update(buffer);
            if (times % at_once > 0) hash.update(buffer[0 .. times % at_once * unit.len]);
            return times * unit.len;
        }

        fn number(Int: type, text: []const u8) Fault!Int {
            for (text) |c| if (!std.ascii.isDigit(c)) return refused("not a decimal number", .{});
            if (text.len > 1 and text[0] == '0') return refused("a leading zero", .{});
            return std.fmt.parseInt(Int, text, 10) catch refused("a number too large, or none", .{});
        }

        fn unhex(text: []const u8) (Fault || mem.Allocator.Error)![]const u8 {
            const bytes = try arena.allocator().alloc(u8, text.len / 2);
            return std.fmt.hexToBytes(bytes, text) catch refused("not hex, or an odd number of digits", .{});
        }

        fn fail(why: []const u8) noreturn {
            std.debug.print("{s}\n", .{why});
            std.process.exit(1);
        }
    };
}
