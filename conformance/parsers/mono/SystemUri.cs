// System.Uri of Mono: Uri.TryCreate.
using System;
using System.Collections.Generic;
using Newtonsoft.Json;

class SystemUri {
    static void Main() {
        string line;
        while ((line = Console.In.ReadLine()) != null) {
            var asked = JsonConvert.DeserializeObject<Dictionary<string, string>>(line);
            var kind = asked["rule"] == "URI" ? UriKind.Absolute : UriKind.RelativeOrAbsolute;
            Uri found;
            bool valid = Uri.TryCreate(asked["text"], kind, out found);
            string host = valid && found.IsAbsoluteUri ? found.Host : null;
            Console.WriteLine(JsonConvert.SerializeObject(new { valid, host }));
            Console.Out.Flush();
        }
    }
}
