// Bouncy Castle 1.53 (bcprov-jdk15on): reset keeps the chaining value, a digest of 65 bytes is not refused, one of 32 does
// not fit into its own length, and an empty key is hashed as a block of zeros.
// $ java -cp ../adapters/build/java/bcprov-jdk15on-1.53.jar java/BouncyCastle153.java
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.Blake2bDigest;

class BouncyCastle153 {
    static String sum(Blake2bDigest d) {
        byte[] out = new byte[64];
        d.doFinal(out, 0);
        return HexFormat.of().formatHex(out, 0, 8);
    }

    public static void main(String[] args) {
        System.out.println("reset after an update");
        Blake2bDigest d = new Blake2bDigest();
        d.update((byte) 0x61);
        d.reset();
        System.out.println("got  " + sum(d));
        System.out.println("want " + sum(new Blake2bDigest()));

        System.out.println("an empty key");
        System.out.println("got  " + sum(new Blake2bDigest(new byte[0])));
        System.out.println("want " + sum(new Blake2bDigest()));

        System.out.println("a digest of 65 bytes");
        System.out.println("got  one of " + new Blake2bDigest(null, 65, null, null).getDigestSize());
        System.out.println("want an exception");

        System.out.println("a digest of 32 bytes into an array of 32");
        d = new Blake2bDigest(null, 32, null, null);
        try {
            d.doFinal(new byte[32], 0);
            System.out.println("got  it");
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("got  " + e);
        }
        System.out.println("want no exception");
    }
}
