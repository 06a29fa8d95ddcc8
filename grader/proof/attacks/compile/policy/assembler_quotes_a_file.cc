// Hostile: the assembler's errors quote a file, with asm pasted from two tokens; words are checked
// after preprocessing, before anything is assembled.
// Never says: Linux version
#define PASTE(a, b) a##b
PASTE(as, m)(".include \"/proc/version\"");
