// Hostile: two to the 20th templates, to use up memory and time; compiling has limits.
// Or: memory_limit
template <int Depth, long Path>
struct Tree : Tree<Depth - 1, 2 * Path>, Tree<Depth - 1, 2 * Path + 1> {};
template <long Path>
struct Tree<0, Path> {};
Tree<20, 1> tree;
