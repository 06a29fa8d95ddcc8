// Hostile: refers to a version of dlsym, a name that is on no list; versions are cut off.
#define PASTE(a, b) a##b
PASTE(as, m)(".symver find_symbol, dlsym@GLIBC_2.34");
extern "C" void* find_symbol(void*, const char*);
void* found = find_symbol(nullptr, "AnnotateIgnoreWritesBegin");
