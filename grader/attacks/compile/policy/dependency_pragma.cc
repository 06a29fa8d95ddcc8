// Hostile: a pragma tells whether a file exists and is newer; only listed pragmas are allowed.
// Or: compile_error
#pragma GCC dependency "/usr/bin/g++"
