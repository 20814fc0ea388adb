import com.appmattus.crypto.Algorithm;
import com.appmattus.crypto.Digest;

/**
 * com.appmattus.crypto:cryptohash's Algorithm.Blake2b, and Algorithm.Blake2b.Keyed for key, salt,
 * personalization, "or any combination thereof": one without a key has to have an empty one.
 */
final class Cryptohash extends Protocol.Hash {
    private final Digest<?> digest;

    private Cryptohash(Digest<?> digest) {
        this.digest = digest;
    }

    public static void main(String[] args) throws Exception {
        Protocol.serve("cryptohash", Algorithm.class, Cryptohash::make);
    }

    private static Cryptohash make(Protocol.Params p) throws Protocol.Unsupported {
        if (p.tree != null) {
            throw new Protocol.Unsupported("tree");
        }
        if (p.size > Integer.MAX_VALUE / 8) {
            throw new Protocol.Unsupported("size " + p.size);
        }
        if (p.key == null && p.salt == null && p.person == null) {
            return new Cryptohash(new Algorithm.Blake2b(8 * p.size).createDigest());
        }
        byte[] key = p.key == null ? new byte[0] : p.key;
        return new Cryptohash(new Algorithm.Blake2b.Keyed(key, p.salt, p.person, 8 * p.size).createDigest());
    }

    @Override
    void update(byte[] message) {
        digest.update(message);
    }

    @Override
    byte[] digest() {
        return digest.digest();
    }

    @Override
    void reset() {
        digest.reset();
    }

    @Override
    Cryptohash copy() {
        return new Cryptohash(digest.copy());
    }
}
