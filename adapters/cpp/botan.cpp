// Botan 2: HashFunction BLAKE2b(bits), documented in its handbook, chapter "Hash
// Functions and Checksums", and in hash.h.

#include <botan/hash.h>
#include <botan/version.h>

#include "protocol.hpp"

class State : public protocol::State {
public:
	explicit State(std::unique_ptr<Botan::HashFunction> hash) : hash(std::move(hash)) {}

	void update(const std::uint8_t *in, std::size_t n) override { hash->update(in, n); }
	void final(std::uint8_t *out, std::size_t) override { hash->final(out); }
	bool final_ends() const override { return true; } // the object is then ready for another message
	void reset() override { hash->clear(); }
	std::unique_ptr<protocol::State> clone() const override { return std::make_unique<State>(hash->copy_state()); }

private:
	std::unique_ptr<Botan::HashFunction> hash;
};

static std::unique_ptr<protocol::State> start(const protocol::Params &p)
{
	if (p.key || p.salt || p.person || p.tree || p.t != decltype(p.t){})
		throw protocol::Unsupported("key, salt, personalization, tree and t");
	return std::make_unique<State>(Botan::HashFunction::create_or_throw("BLAKE2b(" + std::to_string(8 * std::uint64_t{p.size}) + ")"));
}

int main()
{
	return protocol::serve("botan2", Botan::short_version_string(), start);
}
