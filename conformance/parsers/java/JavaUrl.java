import java.net.URL;

/** java.net.URL, which by its documentation does not validate; of other schemes than Java's own, nothing. */
class JavaUrl {
    public static void main(String[] arguments) throws Exception {
        Loop.serve(false, (text, isUri) -> new URL(text).getHost());
    }
}
