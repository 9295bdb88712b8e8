/* libcurl: curl_url_set, with every scheme allowed. */
#include "loop.h"
#include <curl/curl.h>

static int judge(const char *text, int is_uri, char **host) {
    if (!is_uri) return -1;
    CURLU *found = curl_url();
    int valid = curl_url_set(found, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
    char *part = NULL;
    if (valid && curl_url_get(found, CURLUPART_HOST, &part, 0) == CURLUE_OK) {
        *host = strdup(part);
        curl_free(part);
    }
    curl_url_cleanup(found);
    return valid;
}
