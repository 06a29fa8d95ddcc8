// Hostile: the same, the word asm pasted of two pieces; words are judged as the compiler sees them.
#define PASTE(a, b) a##b
PASTE(as, m)(".incbin \"/proc/self/mountinfo\"");
