import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;

/** UriComponentsBuilder.fromUriString of Spring 4, which by its documentation does not validate. */
class Spring {
    public static void main(String[] arguments) throws Exception {
        Loop.serve(true, (text, isUri) -> {
            UriComponents found = UriComponentsBuilder.fromUriString(text).build();
            if (isUri && found.getScheme() == null) throw new IllegalArgumentException();
            return found.getHost();
        });
    }
}
