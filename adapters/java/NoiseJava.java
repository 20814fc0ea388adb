import com.southernstorm.noise.crypto.Blake2bMessageDigest;
import java.security.MessageDigest;

/** noise-java's Blake2bMessageDigest, a java.security.MessageDigest: 64 bytes, no key. */
final class NoiseJava extends Protocol.Hash {
    private final MessageDigest digest = new Blake2bMessageDigest();

    public static void main(String[] args) throws Exception {
        Protocol.serve("noise-java", Blake2bMessageDigest.class, p -> {
            if (p.size != 64 || p.key != null || p.salt != null || p.person != null || p.tree != null) {
                throw new Protocol.Unsupported("any parameters");
            }
            return new NoiseJava();
        });
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
}
