// com.rfksystems:blake2b 2.0.0: an empty key is hashed as a block of zeros.
// $ java -cp ../adapters/build/java/blake2b-2.0.0.jar java/Rfksystems.java
import com.rfksystems.blake2b.Blake2b;
import java.util.HexFormat;

class Rfksystems {
    static String sum(byte[] key) {
        byte[] out = new byte[64];
        new Blake2b(key).digest(out, 0);
        return HexFormat.of().formatHex(out, 0, 8);
    }

    public static void main(String[] args) {
        System.out.println("got  " + sum(new byte[0]));
        System.out.println("want " + sum(null));
    }
}
