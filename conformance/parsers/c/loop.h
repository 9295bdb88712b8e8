/* The loop of every adapter in C and C++: a line of JSON in, a line of JSON out. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns 1, 0, or -1 if there is nothing like the rule; *host becomes a new string or stays NULL. */
static int judge(const char *text, int is_uri, char **host);

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        struct json_object *asked = json_tokener_parse(line), *answer = json_object_new_object();
        const char *text = json_object_get_string(json_object_object_get(asked, "text"));
        size_t length = json_object_get_string_len(json_object_object_get(asked, "text"));
        const char *rule = json_object_get_string(json_object_object_get(asked, "rule"));
        char *host = NULL;
        /* A text with a NUL cannot be given to a C function: that it would be cut is a refusal. */
        int valid = judge(text, strcmp(rule, "URI") == 0, &host);
        if (valid > 0 && strlen(text) < length) valid = 0;
        json_object_object_add(answer, "valid", valid < 0 ? NULL : json_object_new_boolean(valid));
        json_object_object_add(answer, "host", host ? json_object_new_string(host) : NULL);
        puts(json_object_to_json_string(answer));
        fflush(stdout);
        free(host);
        json_object_put(asked);
        json_object_put(answer);
    }
    return 0;
}
