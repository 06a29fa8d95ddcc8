// Hostile: includes /etc/shadow, for the compiler to quote it; a path is no header.
#include </etc/shadow>
