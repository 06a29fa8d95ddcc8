// Hostile: includes an endless file, to fill memory; a path is not a header name.
#include "/dev/zero"
