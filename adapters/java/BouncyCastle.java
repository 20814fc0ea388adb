import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bouncycastle.crypto.digests.Blake2bDigest;

/**
 * Bouncy Castle's Blake2bDigest, by the constructor with key, length, salt and
 * personalization; for tree parameters, by that with a parameter block.
 */
final class BouncyCastle extends Protocol.Hash {
    private final Blake2bDigest digest;

    private BouncyCastle(Blake2bDigest digest) {
        this.digest = digest;
    }

    public static void main(String[] args) throws Exception {
        Protocol.serve("bouncycastle", Blake2bDigest.class, BouncyCastle::make);
    }

    private static BouncyCastle make(Protocol.Params p) throws Protocol.Unsupported {
        if (p.tree == null) {
            return new BouncyCastle(new Blake2bDigest(p.key, p.size, p.salt, p.person));
        }
        byte[] block = block(p);
        return new BouncyCastle(p.tree.last() ? new LastNode(p.key, block) : new Blake2bDigest(p.key, block));
    }

    /** The parameter block of BLAKE2, which the caller has to make. */
    private static byte[] block(Protocol.Params p) throws Protocol.Unsupported {
        int key = p.key == null ? 0 : p.key.length;
        byte[] salt = p.salt == null ? new byte[16] : p.salt;
        byte[] person = p.person == null ? new byte[16] : p.person;
        if (p.size > 255 || key > 255 || salt.length != 16 || person.length != 16) {
            throw new Protocol.Unsupported("tree with parameters that the block cannot hold");
        }
        ByteBuffer b = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        b.put((byte) p.size).put((byte) key).put((byte) p.tree.fanout()).put((byte) p.tree.depth());
        b.putInt(p.tree.leaf()).putLong(p.tree.offset());
        b.put((byte) p.tree.nodeDepth()).put((byte) p.tree.inner());
        return b.position(32).put(salt).put(person).array();
    }

    /** Last nodes are for classes derived from the digest. */
    private static final class LastNode extends Blake2bDigest {
        LastNode(byte[] key, byte[] block) {
            super(key, block);
            setAsLastNode();
        }
    }

    @Override
    void update(byte[] message) {
        digest.update(message, 0, message.length);
    }

    @Override
    byte[] digest() {
        byte[] out = new byte[digest.getDigestSize()];
        digest.doFinal(out, 0);
        return out;
    }

    @Override
    void reset() {
        digest.reset();
    }

    @Override
    BouncyCastle copy() {
        return new BouncyCastle(new Blake2bDigest(digest));
    }
}
