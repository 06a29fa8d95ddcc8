// Hostile: an object of a gigabyte, to fill the disk; files have a limit, and what is said of it
// does not blame the compiler.
// Or: memory_limit
// Never says: bug report
char object[1 << 30] = {1};
