// Hostile: a line marker makes the compiler quote the machine's mounts; line markers are refused.
// Or: compile_error
# 1 "/proc/self/mountinfo"
int f() { int unused_variable_quotes_the_line; }
