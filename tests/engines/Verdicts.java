import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.regex.Pattern;

/** Reads lines: P and a pattern, or T and a text, in hexadecimal UTF-16; a verdict for each text. */
public class Verdicts {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder verdicts = new StringBuilder();
        Pattern pattern = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String text = decode(line);
            if (line.charAt(0) == 'P') {
                pattern = Pattern.compile(text);
                continue;
            }
            boolean whole = pattern.matcher(text).matches();
            // find() has to say the same: the pattern is anchored by itself.
            verdicts.append(whole == pattern.matcher(text).find() ? whole : "different").append('\n');
        }
        System.out.print(verdicts);
    }

    private static String decode(String line) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < line.length(); i += 4) {
            text.append((char) Integer.parseInt(line.substring(i, i + 4), 16));
        }
        return text.toString();
    }
}
