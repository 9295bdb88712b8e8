import org.apache.http.client.utils.URIBuilder;

/** URIBuilder of Apache HttpClient 4. */
class HttpClient {
    public static void main(String[] arguments) throws Exception {
        Loop.serve(true, (text, isUri) -> {
            URIBuilder found = new URIBuilder(text);
            if (isUri && found.getScheme() == null) throw new IllegalArgumentException();
            return found.getHost();
        });
    }
}
