/* libxml2: xmlParseURI. */
#include "loop.h"
#include <libxml/uri.h>

static int judge(const char *text, int is_uri, char **host) {
    xmlURIPtr found = xmlParseURI(text);
    if (found == NULL) return 0;
    int valid = !is_uri || found->scheme != NULL;
    if (found->server) *host = strdup(found->server);
    xmlFreeURI(found);
    return valid;
}
