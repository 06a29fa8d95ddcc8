// Hostile: fork under another name by a label; the word asm is not allowed.
extern "C" int split() __asm__("fork");
int child = split();
