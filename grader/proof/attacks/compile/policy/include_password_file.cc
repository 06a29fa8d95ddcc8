// Hostile: includes /etc/shadow, so that the compiler quotes it; a path is not a header name.
#include </etc/shadow>
