// Hostile: the assembler copies a hidden file, with asm pasted from two tokens; words are checked
// after preprocessing.
#define PASTE(a, b) a##b
PASTE(as, m)(".incbin \"/proc/self/mountinfo\"");
