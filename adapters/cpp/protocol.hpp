// The line protocol in C++: reads requests, has the port do them, writes answers.
//
// A port's file derives a State from its API and hands protocol::serve a function
// that makes one. What a State does not override, the port does not have.

#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace protocol {

using Bytes = std::vector<std::uint8_t>;

struct Unsupported : std::runtime_error {
	using runtime_error::runtime_error;
};

struct Tree {
	std::uint8_t fanout, depth;
	std::uint32_t leaf_length;
	std::uint64_t node_offset;
	std::uint8_t node_depth, inner_length;
	bool last;
};

struct Params {
	std::uint32_t size = 64;
	std::optional<Bytes> key, salt, person;
	std::optional<Tree> tree;
	std::array<std::uint64_t, 2> t{}; // low word first
};

// State is a hash. What it throws is an error, but for Unsupported.
class State {
public:
	virtual ~State() = default;
	virtual void update(const std::uint8_t *in, std::size_t n) = 0;
	virtual void final(std::uint8_t *out, std::size_t size) = 0;
	virtual void reset() { throw Unsupported("reset"); }
	virtual std::unique_ptr<State> clone() const { throw Unsupported("clone"); }

	// Whether final ends the message, by the documentation.
	virtual bool final_ends() const { return false; }
};

using Start = std::function<std::unique_ptr<State>(const Params &)>;

namespace detail {

// words splits at each c; there is one more word than there are cs.
inline std::vector<std::string_view> words(std::string_view s, char c)
{
	std::vector<std::string_view> list;
	for (auto end = s.find(c); end != s.npos; end = s.find(c)) {
		list.push_back(s.substr(0, end));
		s.remove_prefix(end + 1);
	}
	list.push_back(s);
	return list;
}

inline std::string quote(std::string_view word)
{
	return " \"" + std::string(word.substr(0, 40)) + '"';
}

template <class T> T decimal(std::string_view s, T max = std::numeric_limits<T>::max())
{
	T n = 0;
	auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
	if (error == std::errc::result_out_of_range || (error == std::errc() && n > max))
		throw std::invalid_argument("number is too large:" + quote(s));
	if (error != std::errc() || end != s.data() + s.size() || s != std::to_string(n))
		throw std::invalid_argument("not a decimal number:" + quote(s));
	return n;
}

inline Bytes hex(std::string_view s)
{
	constexpr std::string_view digits = "0123456789abcdef";
	if (s.find_first_not_of(digits) != s.npos)
		throw std::invalid_argument("not hex in lower case:" + quote(s));
	if (s.size() % 2 != 0)
		throw std::invalid_argument("odd number of digits:" + quote(s));
	Bytes bytes(s.size() / 2);
	for (std::size_t i = 0; i < bytes.size(); i++)
		bytes[i] = static_cast<std::uint8_t>(digits.find(s[2 * i]) << 4 | digits.find(s[2 * i + 1]));
	return bytes;
}

inline Tree tree(std::string_view s)
{
	auto f = words(s, ',');
	if (f.size() != 7)
		throw std::invalid_argument("tree takes 7 fields");
	return {decimal<std::uint8_t>(f[0]),  decimal<std::uint8_t>(f[1]), decimal<std::uint32_t>(f[2]), decimal<std::uint64_t>(f[3]),
	        decimal<std::uint8_t>(f[4]), decimal<std::uint8_t>(f[5]), decimal<std::uint8_t>(f[6], 1) != 0};
}

inline std::array<std::uint64_t, 2> counter(std::string_view s)
{
	Bytes b = hex(s);
	std::array<std::uint64_t, 2> t{};
	if (b.size() != 16)
		throw std::invalid_argument("t is not of 16 bytes");
	for (std::size_t i = 16; i-- > 0;)
		t[i / 8] = t[i / 8] << 8 | b[i];
	if (t[0] % 128 != 0)
		throw std::invalid_argument("t is not a multiple of 128");
	return t;
}

struct Step {
	enum Op { write, sum, reset, fresh, clone, swap, save } op;
	Bytes bytes{};
	std::uint64_t count = 1;
};

inline Step step(std::string_view word)
{
	constexpr std::string_view ops[] = {"-", "sum", "reset", "new", "clone", "swap", "save"};
	if (auto op = std::find(std::begin(ops), std::end(ops), word); op != std::end(ops))
		return {static_cast<Step::Op>(op - std::begin(ops))};
	if (word.empty())
		throw std::invalid_argument("empty word");
	auto star = word.find('*');
	auto digits = word.substr(0, star);
	if (std::any_of(digits.begin(), digits.end(), [](char c) { return 'g' <= c && c <= 'z'; }))
		throw Unsupported("step" + quote(word));
	Step s{Step::write, hex(digits)};
	if (star != word.npos)
		s.count = decimal<std::uint64_t>(word.substr(star + 1));
	if (s.bytes.empty() || s.count == 0)
		throw std::invalid_argument("write of nothing has a count");
	return s;
}

struct Request {
	bool about = false;
	Params params;
	std::vector<Step> steps;
};

inline void set(Params &p, std::string_view key, std::string_view value)
{
	if (key == "size")
		p.size = decimal<std::uint32_t>(value);
	else if (key == "key")
		p.key = hex(value);
	else if (key == "salt")
		p.salt = hex(value);
	else if (key == "person")
		p.person = hex(value);
	else if (key == "tree")
		p.tree = tree(value);
	else if (key == "t")
		p.t = counter(value);
	else
		throw Unsupported("key" + quote(key));
}

inline Request parse(std::string_view line)
{
	if (line.empty())
		throw std::invalid_argument("empty line");
	Request r;
	auto list = words(line, ' ');
	r.about = list[0] == "about";
	if (!r.about && list[0] != "sum")
		throw Unsupported("verb" + quote(list[0]));
	std::vector<std::string_view> seen;
	std::size_t i = 1;
	for (; i < list.size() && list[i] != ":"; i++) {
		auto equals = list[i].find('=');
		auto key = list[i].substr(0, equals);
		if (equals == key.npos)
			throw std::invalid_argument("not key=value:" + quote(key));
		if (std::find(seen.begin(), seen.end(), key) != seen.end())
			throw std::invalid_argument("given twice: key" + quote(key));
		if (r.about)
			throw Unsupported("key" + quote(key));
		set(r.params, key, list[i].substr(equals + 1));
		seen.push_back(key);
	}
	bool aside = false;
	for (i++; i < list.size(); i++) {
		r.steps.push_back(step(list[i]));
		auto op = r.steps.back().op;
		aside = aside || op == Step::fresh || op == Step::clone;
		if (op == Step::swap && !aside)
			throw std::invalid_argument("swap with no state aside");
	}
	if (r.about && !r.steps.empty())
		throw std::invalid_argument("about takes no steps");
	if (r.params.key && !r.params.key->empty() && r.params.t != decltype(r.params.t){})
		throw std::invalid_argument("t takes no key");
	return r;
}

// A Slot is a state, and whether a digest was taken of it.
struct Slot {
	std::unique_ptr<State> state;
	bool final = false;
};

inline void write(State &state, const Step &s)
{
	constexpr std::uint64_t piece = 1 << 27;
	if (s.count == 1)
		return state.update(s.bytes.data(), s.bytes.size());
	for (auto left = s.count; left > 0;) {
		auto times = std::min(left, piece / s.bytes.size());
		Bytes all;
		all.reserve(times * s.bytes.size());
		for (std::uint64_t i = 0; i < times; i++)
			all.insert(all.end(), s.bytes.begin(), s.bytes.end());
		state.update(all.data(), all.size());
		left -= times;
	}
}

// digest takes a digest, in hex, with nothing written beside it.
inline std::string digest(State &state, std::size_t size)
{
	constexpr std::size_t margin = 64;
	constexpr std::uint8_t filler = 0xa5;
	if (size > 1 << 20)
		throw Unsupported("a digest of more than 2^20 bytes");
	Bytes b(size + 2 * margin, filler);
	state.final(b.data() + margin, size);
	auto out = b.begin() + margin, end = b.end() - margin;
	if (std::any_of(b.begin(), out, [](auto c) { return c != filler; }) || std::any_of(end, b.end(), [](auto c) { return c != filler; }))
		throw std::runtime_error("the port wrote beside the digest");
	std::string text;
	for (; out != end; ++out) {
		text += "0123456789abcdef"[*out >> 4];
		text += "0123456789abcdef"[*out & 15];
	}
	return text;
}

inline std::string run(const Request &r, const Start &start)
{
	auto left = std::uint64_t{1} << 33;
	for (const auto &s : r.steps) {
		if (s.bytes.size() > 0 && s.count > left / s.bytes.size())
			throw Unsupported("a message above 2^33 bytes");
		left -= s.bytes.size() * s.count;
	}
	Params fresh = r.params;
	fresh.t = {};
	Slot current{start(r.params)}, aside;
	auto alive = [&]() -> State & {
		if (current.final && current.state->final_ends())
			throw Unsupported("final ends the message");
		return *current.state;
	};
	std::string answer = "ok";
	auto sum = [&] {
		auto text = digest(alive(), r.params.size);
		current.final = true;
		answer += text.empty() ? text : ' ' + text;
	};
	for (const auto &s : r.steps) {
		switch (s.op) {
		case Step::write:
			write(alive(), s);
			break;
		case Step::sum:
			sum();
			break;
		case Step::reset:
			current.state->reset();
			current.final = false;
			break;
		case Step::fresh:
			aside = {start(fresh)};
			break;
		case Step::clone:
			aside = {alive().clone(), current.final};
			break;
		case Step::swap:
			std::swap(current, aside);
			break;
		case Step::save:
			throw Unsupported("save");
		}
	}
	sum();
	return answer;
}

// ascii makes a text one line of printable ASCII.
inline std::string ascii(std::string text)
{
	std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
	return text;
}

inline std::string respond(const std::string &name, const std::string &version, const Start &start, std::string_view line)
{
	try {
		if (line.size() > 1 << 20)
			throw std::invalid_argument("line of more than 2^20 bytes");
		Request r = parse(line);
		return r.about ? "ok name=" + name + " version=" + version + " protocol=1" : run(r, start);
	} catch (const Unsupported &e) {
		return ascii(std::string("unsupported ") + e.what());
	} catch (const std::exception &e) {
		return ascii(std::string("error ") + e.what());
	}
}

} // namespace detail

inline int serve(const std::string &name, const std::string &version, const Start &start)
{
	std::ios::sync_with_stdio(false);
	for (std::string line; std::getline(std::cin, line);) {
		if (!line.empty() && line.back() == '\r')
			line.pop_back();
		std::cout << detail::respond(name, version, start, line) << std::endl;
	}
	return 0;
}

} // namespace protocol
