// Hostile: threads of a library that the lab bans; the object's symbols are checked.
#include <future>
int later = std::async([] { return 1; }).get();
