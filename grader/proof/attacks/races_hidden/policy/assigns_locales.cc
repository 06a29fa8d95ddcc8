// Hostile: races in an assignment that the C++ library makes, not its headers.
#include <locale>

std::locale shared;  // changed by all threads at the same time

void Count() { shared = std::locale(); }
