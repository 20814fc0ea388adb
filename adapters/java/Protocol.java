import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the adapters in Java share: each hands serve the way to make a hash. */
final class Protocol {
    private Protocol() {}

    /** What the port has no way to be asked. */
    static final class Unsupported extends Exception {
        Unsupported(String what) {
            super(what);
        }
    }

    /** The parameters of a hash; null is what was not given. */
    static final class Params {
        int size = 64;
        byte[] key;
        byte[] salt;
        byte[] person;
        Tree tree;
    }

    record Tree(int fanout, int depth, int leaf, long offset, int nodeDepth, int inner, boolean last) {}

    /** Makes a hash; an exception says that the port refuses. */
    interface Maker {
        Hash make(Params p) throws Exception;
    }

    /** A hash of the port: what it does not override, the port lacks. */
    abstract static class Hash {
        private boolean ended;

        abstract void update(byte[] message) throws Exception;

        /** Takes the digest, which ends the message: so it is documented of all these ports. */
        abstract byte[] digest() throws Exception;

        void reset() throws Exception {
            throw new Unsupported("reset");
        }

        Hash copy() throws Exception {
            throw new Unsupported("clone");
        }

        private Hash live() throws Unsupported {
            if (ended) {
                throw new Unsupported("anything but reset after a digest, which ends the message");
            }
            return this;
        }
    }

    private static final int MAX_LINE = 1 << 20;
    private static final long MAX_MESSAGE = 1L << 33;
    private static final int MAX_WRITE = 1 << 27;

    /** Answers requests until there are no more. In place of the name goes $ADAPTER_NAME. */
    static void serve(String name, Class<?> port, Maker maker) throws IOException {
        String about = "ok name=" + System.getenv().getOrDefault("ADAPTER_NAME", name)
                + " version=" + version(port) + " protocol=1";
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        for (String line = readLine(in); line != null; line = readLine(in)) {
            String answer = line.equals("about") ? about : answer(line, maker);
            System.out.write((answer + "\n").getBytes(StandardCharsets.US_ASCII));
            System.out.flush();
        }
    }

    /** The version of the jar that the class is from: Maven puts it into the name. */
    private static String version(Class<?> port) {
        String jar = port.getProtectionDomain().getCodeSource().getLocation().getPath();
        Matcher m = Pattern.compile("-([0-9][^/]*)\\.jar$").matcher(jar);
        return m.find() ? m.group(1) : "unknown";
    }

    /** Reads a line, without its end; of one that is too long, only the beginning. */
    private static String readLine(InputStream in) throws IOException {
        int c = in.read();
        if (c < 0) {
            return null;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (; c >= 0 && c != '\n'; c = in.read()) {
            if (line.size() < MAX_LINE + 2) {
                line.write(c);
            }
        }
        String s = line.toString(StandardCharsets.ISO_8859_1);
        return s.endsWith("\r") ? s.substring(0, s.length() - 1) : s;
    }

    private static String answer(String line, Maker maker) {
        String text;
        try {
            return "ok " + String.join(" ", new Request(line).run(maker));
        } catch (Unsupported e) {
            text = "unsupported " + e.getMessage();
        } catch (NoSuchMethodError e) { // of an old version of a library
            text = "unsupported " + e.getMessage();
        } catch (Exception | Error e) {
            text = "error " + e;
        }
        return text.replaceAll("[^ -~]", "?");
    }

    /** A word of the steps; of a write, data is not null and comes so many times over. */
    private record Step(String word, byte[] data, long count) {}

    /** A request for a sum. */
    private static final class Request {
        private final Params params = new Params();
        private final List<Step> steps = new ArrayList<>();
        private String lacking; // what the request has that no port in Java offers

        Request(String line) throws Unsupported {
            check(line.length() <= MAX_LINE, "a line of more than 1 MiB");
            check(!line.isEmpty(), "an empty line");
            check(!line.startsWith("about :"), "about takes no steps");
            String[] words = line.split(" ", -1);
            if (!words[0].equals("sum")) {
                throw new Unsupported("verb " + clip(words[0]));
            }
            int i = 1;
            Set<String> given = new HashSet<>();
            for (; i < words.length && !words[i].equals(":"); i++) {
                String[] pair = words[i].split("=", 2);
                check(pair.length == 2, "not key=value: ", words[i]);
                check(given.add(pair[0]), "given twice: ", pair[0]);
                set(pair[0], pair[1]);
            }
            check(!given.contains("t") || params.key == null || params.key.length == 0, "t with a key");
            boolean aside = false;
            for (i++; i < words.length; i++) {
                switch (words[i]) {
                    case "sum", "reset" -> { }
                    case "new", "clone" -> aside = true;
                    case "swap" -> check(aside, "swap with no state aside");
                    case "save" -> lacking = "save";
                    default -> {
                        steps.add(write(words[i]));
                        continue;
                    }
                }
                steps.add(new Step(words[i], null, 0));
            }
        }

        private void set(String key, String value) throws Unsupported {
            switch (key) {
                case "size" -> {
                    long size = number(value, 32);
                    if (size > Integer.MAX_VALUE) {
                        lacking = "size " + size;
                    }
                    params.size = (int) size;
                }
                case "key" -> params.key = bytes(value);
                case "salt" -> params.salt = bytes(value);
                case "person" -> params.person = bytes(value);
                case "tree" -> {
                    String[] f = value.split(",", -1);
                    check(f.length == 7, "a tree of other than 7 fields");
                    params.tree = new Tree((int) number(f[0], 8), (int) number(f[1], 8), (int) number(f[2], 32),
                            number(f[3], 64), (int) number(f[4], 8), (int) number(f[5], 8), number(f[6], 1) == 1);
                }
                case "t" -> {
                    byte[] t = bytes(value);
                    check(t.length == 16 && (t[0] & 127) == 0, "t is not 16 bytes and a multiple of 128");
                    lacking = "t";
                }
                default -> throw new Unsupported("key " + clip(key));
            }
        }

        private Step write(String word) throws Unsupported {
            if (word.equals("-")) {
                return new Step(word, new byte[0], 1);
            }
            String[] parts = word.split("\\*", 2);
            if (parts[0].matches(".*[g-z].*")) {
                throw new Unsupported("step " + clip(word));
            }
            byte[] data = bytes(parts[0]);
            check(data.length > 0, "a write of no bytes: ", word);
            long count = parts.length == 1 ? 1 : number(parts[1], 64);
            check(count != 0, "a count of 0");
            if (Long.compareUnsigned(count, MAX_MESSAGE / data.length) > 0) {
                lacking = "a message above " + MAX_MESSAGE + " bytes";
            }
            return new Step(word, data, count);
        }

        List<String> run(Maker maker) throws Exception {
            if (lacking != null) {
                throw new Unsupported(lacking);
            }
            List<String> digests = new ArrayList<>();
            Hash hash = maker.make(params);
            Hash aside = null;
            for (Step s : steps) {
                switch (s.word) {
                    case "sum" -> digests.add(digest(hash));
                    case "reset" -> {
                        hash.reset();
                        hash.ended = false;
                    }
                    case "new" -> aside = maker.make(params);
                    case "clone" -> aside = hash.live().copy();
                    case "swap" -> {
                        Hash h = hash;
                        hash = aside;
                        aside = h;
                    }
                    default -> feed(hash.live(), s);
                }
            }
            digests.add(digest(hash));
            return digests;
        }
    }

    private static String digest(Hash h) throws Exception {
        h.live().ended = true;
        return HexFormat.of().formatHex(h.digest());
    }

    /** Writes in one call, or in calls of up to MAX_WRITE bytes. */
    private static void feed(Hash h, Step s) throws Exception {
        int unit = s.data.length;
        int times = (int) Math.min(s.count, MAX_WRITE / Math.max(unit, 1));
        byte[] message = new byte[unit * times];
        for (int i = 0; i < message.length; i += unit) {
            System.arraycopy(s.data, 0, message, i, unit);
        }
        long left = s.count;
        for (; left > times; left -= times) {
            h.update(message);
        }
        h.update(left < times ? Arrays.copyOf(message, (int) left * unit) : message);
    }

    private static byte[] bytes(String hex) {
        check(hex.matches("[0-9a-f]*"), "not hex: ", hex);
        return HexFormat.of().parseHex(hex);
    }

    /** A number of so many bits; one of 64 in a long without a sign. */
    private static long number(String s, int bits) {
        check(s.matches("0|[1-9][0-9]{0,19}"), "not a number: ", s);
        BigInteger n = new BigInteger(s);
        check(n.bitLength() <= bits, "too large: ", s);
        return n.longValue();
    }

    private static void check(boolean right, String... wrong) {
        if (!right) {
            throw new IllegalArgumentException(clip(String.join("", wrong)));
        }
    }

    private static String clip(String s) {
        return s.length() > 80 ? s.substring(0, 80) : s;
    }
}
