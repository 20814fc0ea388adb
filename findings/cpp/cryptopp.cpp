// Crypto++ 8.7.0: digests of 0 and of 65 bytes, and a key of 65, are not refused.
// $ c++ cpp/cryptopp.cpp -lcryptopp && ./a.out
#include <crypto++/blake2.h>
#include <iostream>

template <typename... Arguments> void make(const char *what, Arguments... arguments)
{
	std::cout << what << '\n';
	try {
		CryptoPP::BLAKE2b hash(arguments...);
		std::cout << "got  a digest of " << hash.DigestSize() << " bytes\n";
	} catch (const CryptoPP::Exception &e) {
		std::cout << "got  " << e.what() << '\n';
	}
	std::cout << "want an exception\n";
}

int main()
{
	const CryptoPP::byte key[65] = {};
	make("a digest of 0 bytes", 0u);
	make("a digest of 65 bytes", 65u);
	make("a key of 65 bytes", key, sizeof key);
}
