// Hostile: includes an endless file, to fill memory; a path is no header.
#include "/dev/zero"
