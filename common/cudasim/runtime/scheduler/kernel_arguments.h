// The names that a kernel gives to the pointers it was launched with.
#pragma once

#include <string>
#include <vector>

namespace cudasim {

struct NamedPointer {
  std::string name;
  const char* pointer;
};

// Returns the named arguments of the host thread's next launch, and forgets them.
std::vector<NamedPointer> TakeArguments();

// The argument of the running grid that points into [begin, end), at `address` or before it; empty
// if there is none.
std::string KernelParameter(const char* begin, const char* end, const char* address);

}  // namespace cudasim
