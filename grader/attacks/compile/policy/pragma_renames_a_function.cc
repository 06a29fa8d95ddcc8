// Hostile: a pragma makes the object refer to dlsym by another name; the object's symbols are
// checked.
#pragma redefine_extname find_symbol dlsym
extern "C" void* find_symbol(void*, const char*);
void* found = find_symbol(nullptr, "AnnotateIgnoreWritesBegin");
