// noise-java 0.1.1 (org.signal.forks): a MessageDigest whose digest does not reset it, and miscounts what it has written.
// $ java -cp ../adapters/build/java/noise-java-0.1.1.jar java/NoiseJava.java
import com.southernstorm.noise.crypto.Blake2bMessageDigest;
import java.security.MessageDigest;
import java.util.HexFormat;

class NoiseJava {
    public static void main(String[] args) throws Exception {
        MessageDigest d = new Blake2bMessageDigest();
        byte[] abc = {'a', 'b', 'c'};

        System.out.println("the digest of \"abc\", again");
        String want = HexFormat.of().formatHex(d.digest(abc), 0, 8);
        System.out.println("got  " + HexFormat.of().formatHex(d.digest(abc), 0, 8));
        System.out.println("want " + want);

        System.out.println("the bytes that digest has written");
        System.out.println("got  " + d.digest(new byte[64], 0, 64));
        System.out.println("want 64");
    }
}
