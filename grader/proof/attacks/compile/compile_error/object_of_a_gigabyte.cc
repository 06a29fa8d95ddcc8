// Hostile: an object of a gigabyte, to fill the disk; files have a limit, and the message does not
// blame the compiler.
// Or: memory_limit
// Never says: bug report
char object[1 << 30] = {1};
