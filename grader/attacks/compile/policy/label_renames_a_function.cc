// Hostile: calls fork under another name by an asm label; the word asm is not allowed.
extern "C" int split() __asm__("fork");
int child = split();
