import java.net.URI;

/** java.net.URI, which says that it follows RFC 2396. */
class JavaUri {
    public static void main(String[] arguments) throws Exception {
        Loop.serve(true, (text, isUri) -> {
            URI found = new URI(text);
            if (isUri && found.getScheme() == null) throw new IllegalArgumentException();
            return found.getHost();
        });
    }
}
