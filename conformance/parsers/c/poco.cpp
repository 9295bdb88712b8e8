// Poco::URI.
#include "loop.h"
#include <Poco/Exception.h>
#include <Poco/URI.h>

static int judge(const char *text, int is_uri, char **host) {
    try {
        Poco::URI found((std::string(text)));
        if (!found.getHost().empty()) *host = strdup(found.getHost().c_str());
        return !is_uri || !found.getScheme().empty();
    } catch (Poco::Exception &) {
        return 0;
    }
}
