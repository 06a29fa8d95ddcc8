// Hostile: the attribute that switches the race checker off, pasted from two tokens.
// Or: data_race

unsigned counted;  // by all threads at the same time

#define PASTE(a, b) a##b
__attribute__((PASTE(no_, sanitize)("thread"))) void Count() { ++counted; }
