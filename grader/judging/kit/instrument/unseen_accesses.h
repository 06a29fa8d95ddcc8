// Accesses that ThreadSanitizer never instruments.
#ifndef GRADER_KIT_INSTRUMENT_UNSEEN_ACCESSES_H_
#define GRADER_KIT_INSTRUMENT_UNSEEN_ACCESSES_H_

#include <string>
#include <string_view>
#include <vector>

namespace grader::instrument {

struct UnseenAccess {
  bool writes;
  std::string pointer;  // with its type
  std::string bytes;    // a number or an expression
};

// Those of an instruction: loads and stores of other than 1, 2, 4, 8 or 16 bytes (long double, a
// vector of 32 bytes, a bit-field of 20 bits), structs that a call passes by value in memory, and
// lists of variable arguments that are begun or copied.
std::vector<UnseenAccess> UnseenAccesses(std::string_view instruction);

}  // namespace grader::instrument

#endif  // GRADER_KIT_INSTRUMENT_UNSEEN_ACCESSES_H_
