// Hostile: #line names a file of the machine, which the compiler quotes beside its warning; #line
// is refused.
// Or: compile_error
#line 1 "/proc/cmdline"
int f() { int unused_variable_quotes_the_line; }
