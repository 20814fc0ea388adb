// Qt 6: QCryptographicHash, documented at doc.qt.io.

#include <QCryptographicHash>

#include "protocol.hpp"

class State : public protocol::State {
public:
	explicit State(QCryptographicHash::Algorithm algorithm) : hash(algorithm) {}

	void update(const std::uint8_t *in, std::size_t n) override { hash.addData(QByteArrayView(in, static_cast<qsizetype>(n))); }
	void final(std::uint8_t *out, std::size_t) override
	{
		const QByteArray result = hash.result();
		std::copy(result.begin(), result.end(), out);
	}
	void reset() override { hash.reset(); }

private:
	QCryptographicHash hash;
};

static std::unique_ptr<protocol::State> start(const protocol::Params &p)
{
	if (p.key || p.salt || p.person || p.tree || p.t != decltype(p.t){})
		throw protocol::Unsupported("key, salt, personalization, tree and t");
	for (auto algorithm : {QCryptographicHash::Blake2b_160, QCryptographicHash::Blake2b_256, QCryptographicHash::Blake2b_384, QCryptographicHash::Blake2b_512})
		if (static_cast<std::uint32_t>(QCryptographicHash::hashLength(algorithm)) == p.size)
			return std::make_unique<State>(algorithm);
	throw protocol::Unsupported("digest lengths other than 20, 32, 48 and 64");
}

int main()
{
	return protocol::serve("qt6", qVersion(), start);
}
