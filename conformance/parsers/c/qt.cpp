// Qt: QUrl in strict mode. Built with Qt 5 and with Qt 6.
#include "loop.h"
#include <QUrl>

static int judge(const char *text, int is_uri, char **host) {
    QUrl found(QString::fromUtf8(text), QUrl::StrictMode);
    if (!found.isValid() && *text) return 0;
    if (!found.host().isEmpty()) *host = strdup(found.host().toUtf8().constData());
    return !is_uri || !found.isRelative();
}
