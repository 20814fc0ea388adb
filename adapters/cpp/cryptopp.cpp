// Crypto++: class BLAKE2b, documented in blake2.h.

#include <crypto++/blake2.h>
#include <crypto++/misc.h>

#include "protocol.hpp"

using CryptoPP::BLAKE2b;
using CryptoPP::BLAKE2b_ParameterBlock;

class State : public protocol::State {
public:
	explicit State(BLAKE2b hash) : hash(std::move(hash)) {}

	void update(const std::uint8_t *in, std::size_t n) override { hash.Update(in, n); }
	void final(std::uint8_t *out, std::size_t) override { hash.Final(out); }
	bool final_ends() const override { return true; } // "Final() restarts the hash for a new message"
	void reset() override { hash.Restart(); }
	std::unique_ptr<protocol::State> clone() const override { return std::make_unique<State>(*this); }

private:
	BLAKE2b hash;
};

// fill sets the fields of a parameter block that no constructor takes.
static void fill(BLAKE2b_ParameterBlock &block, const protocol::Tree &tree)
{
	auto *p = block.data();
	p[block.FanoutOff] = tree.fanout;
	p[block.DepthOff] = tree.depth;
	CryptoPP::PutWord(false, CryptoPP::LITTLE_ENDIAN_ORDER, p + block.LeafOff, tree.leaf_length);
	CryptoPP::PutWord(false, CryptoPP::LITTLE_ENDIAN_ORDER, p + block.NodeOff, CryptoPP::word64{tree.node_offset});
	p[block.NodeDepthOff] = tree.node_depth;
	p[block.InnerOff] = tree.inner_length;
}

static std::unique_ptr<protocol::State> start(const protocol::Params &p)
{
	const protocol::Bytes none, &key = p.key ? *p.key : none, &salt = p.salt ? *p.salt : none, &person = p.person ? *p.person : none;
	const bool last = p.tree && p.tree->last;
	auto hash = p.key || p.salt || p.person
	                    ? BLAKE2b(key.data(), key.size(), salt.data(), salt.size(), person.data(), person.size(), last, p.size)
	                    : BLAKE2b(last, p.size);
	if (p.tree || p.t != decltype(p.t){}) {
		BLAKE2b_ParameterBlock block(p.size, key.size(), salt.data(), salt.size(), person.data(), person.size());
		if (p.tree)
			fill(block, *p.tree);
		const CryptoPP::word64 counter[] = {p.t[0], p.t[1]};
		hash.Restart(block, counter);
	}
	return std::make_unique<State>(std::move(hash));
}

int main()
{
	const int v = CryptoPP::LibraryVersion();
	return protocol::serve("cryptopp", std::to_string(v / 100) + '.' + std::to_string(v / 10 % 10) + '.' + std::to_string(v % 10), start);
}
