// Hostile: a pragma lets the object ask for dlsym under another name; the object's symbols are
// read.
#pragma redefine_extname find_symbol dlsym
extern "C" void* find_symbol(void*, const char*);
void* found = find_symbol(nullptr, "AnnotateIgnoreWritesBegin");
