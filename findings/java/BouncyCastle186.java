// Bouncy Castle 1.79 to 1.86 (bcprov-jdk18on): fields of a parameter block are read wrongly, and an empty key is hashed as a
// block of zeros. Mended in 1.87.
// $ java -cp ../adapters/build/java/bcprov-jdk18on-1.86.jar java/BouncyCastle186.java
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.Blake2bDigest;

class BouncyCastle186 {
    static void got(Blake2bDigest d) {
        byte[] out = new byte[64];
        d.doFinal(out, 0);
        System.out.println("got  " + HexFormat.of().formatHex(out, 0, 8));
    }

    static void field(String name, int at, int value, String want) {
        byte[] block = new byte[64];
        block[0] = 64; // digest length
        block[2] = 2; // fanout
        block[3] = 2; // depth
        block[at] = (byte) value;
        System.out.println(name);
        got(new Blake2bDigest(null, block));
        System.out.println("want " + want);
    }

    public static void main(String[] args) {
        field("leaf length 4096", 5, 16, "515514fc079598ed");
        field("node offset 2^32", 12, 1, "ff5475aea708a023");
        field("depth 255", 3, 255, "0f8935b27ef0d4ac");
        field("node depth 255", 16, 255, "de9178fc7bb94895");
        System.out.println("an empty key");
        got(new Blake2bDigest(new byte[0]));
        System.out.println("want 786a02f742015903");
    }
}
