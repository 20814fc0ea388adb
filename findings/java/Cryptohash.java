// cryptohash 1.0.2 (Kotlin): salt and personalization cannot go without a key: null is refused, and an empty one is hashed
// as a block of zeros.
// $ java -cp ../adapters/build/java/cryptohash-jvm-1.0.2.jar:../adapters/build/java/kotlin-stdlib-2.0.0.jar java/Cryptohash.java
import com.appmattus.crypto.Algorithm;
import java.util.HexFormat;

class Cryptohash {
    public static void main(String[] args) {
        byte[] salt = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
        byte[] message = {0, 1, 2};
        for (byte[] key : new byte[][] {null, {}}) {
            System.out.println(key == null ? "no key, and a salt" : "an empty key, and a salt");
            try {
                byte[] digest = new Algorithm.Blake2b.Keyed(key, salt, null, 512).hash(message);
                System.out.println("got  " + HexFormat.of().formatHex(digest, 0, 8));
            } catch (NullPointerException e) {
                System.out.println("got  NullPointerException");
            }
            System.out.println("want 9bcc3a50e807e846");
        }
    }
}
