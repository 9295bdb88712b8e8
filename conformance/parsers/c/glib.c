/* GLib: g_uri_parse, and g_uri_is_valid for references. */
#include "loop.h"
#include <glib.h>

static int judge(const char *text, int is_uri, char **host) {
    if (!is_uri) return -1;
    GUri *found = g_uri_parse(text, G_URI_FLAGS_NONE, NULL);
    if (found == NULL) return 0;
    if (g_uri_get_host(found)) *host = strdup(g_uri_get_host(found));
    g_uri_unref(found);
    return 1;
}
