import com.rfksystems.blake2b.Blake2b;

/** com.rfksystems:blake2b's Blake2b, by the constructor with key, length, salt and personalization. */
final class Rfksystems extends Protocol.Hash {
    private final Blake2b hash;

    private Rfksystems(Blake2b hash) {
        this.hash = hash;
    }

    public static void main(String[] args) throws Exception {
        Protocol.serve("rfksystems", Blake2b.class, p -> {
            if (p.tree != null) {
                throw new Protocol.Unsupported("tree");
            }
            return new Rfksystems(new Blake2b(p.key, p.size, p.salt, p.person));
        });
    }

    @Override
    void update(byte[] message) {
        hash.update(message, 0, message.length);
    }

    @Override
    byte[] digest() {
        byte[] out = new byte[hash.getDigestSize()];
        hash.digest(out, 0);
        return out;
    }

    @Override
    void reset() {
        hash.reset();
    }

    @Override
    Rfksystems copy() {
        return new Rfksystems(new Blake2b(hash));
    }
}
