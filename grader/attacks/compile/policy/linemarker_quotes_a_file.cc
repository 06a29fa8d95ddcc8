// Hostile: the short form of #line, for the compiler to quote the machine's mounts; it is refused.
// Or: compile_error
# 1 "/proc/self/mountinfo"
int f() { int unused_variable_quotes_the_line; }
