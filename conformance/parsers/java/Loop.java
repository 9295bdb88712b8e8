import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.GsonBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;

/** The loop of every adapter in Java: a line of JSON in, a line of JSON out. */
class Loop {
    interface Judge {
        /** The host, or null; throws for what is not valid. */
        String host(String text, boolean isUri) throws Exception;
    }

    static void serve(boolean hasReferences, Judge judge) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject asked = JsonParser.parseString(line).getAsJsonObject(), answer = new JsonObject();
            boolean isUri = asked.get("rule").getAsString().equals("URI");
            if (isUri || hasReferences) {
                try {
                    answer.addProperty("host", judge.host(asked.get("text").getAsString(), isUri));
                    answer.addProperty("valid", true);
                } catch (Exception refusal) {
                    answer.addProperty("valid", false);
                }
            } else {
                answer.add("valid", null);
            }
            out.println(new GsonBuilder().serializeNulls().create().toJson(answer));
        }
    }
}
