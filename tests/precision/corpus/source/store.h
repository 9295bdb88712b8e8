/**
 * Opens a store by its address:
 *   store://reader:secret\@host:port/name
 *   store://host:port/names?of=a^b
 */
int open_store(const char *address);
