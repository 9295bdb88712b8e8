/* uriparser: uriParseSingleUriA. */
#include "loop.h"
#include <uriparser/Uri.h>

static int judge(const char *text, int is_uri, char **host) {
    UriUriA found;
    if (uriParseSingleUriA(&found, text, NULL) != URI_SUCCESS) return 0;
    int valid = !is_uri || found.scheme.first != NULL;
    if (found.hostText.first)
        *host = strndup(found.hostText.first, found.hostText.afterLast - found.hostText.first);
    uriFreeUriMembersA(&found);
    return valid;
}
