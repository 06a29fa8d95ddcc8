// Local arrays and structs that other threads can reach.
#ifndef GRADER_KIT_INSTRUMENT_LOCAL_OBJECTS_H_
#define GRADER_KIT_INSTRUMENT_LOCAL_OBJECTS_H_

#include <map>
#include <set>
#include <string_view>

#include "grader/judging/kit/instrument/ir_text.h"

namespace grader::instrument {

// ThreadSanitizer leaves out accesses to an object on the stack whose address goes nowhere; before
// LLVM 21 it asks that of the pointer that is used, not of the object's address
// (https://github.com/google/sanitizers/issues/1181). So an access by a pointer that is computed
// from the object's address is left out even if others have that address.
class LocalObjects {
 public:
  // Reads a function, whose lines must outlive this.
  explicit LocalObjects(const Lines& function);

  // Whether the pointer, with its type, is computed from the address of an object whose address
  // goes elsewhere.
  bool IsHidden(std::string_view pointer) const;

 private:
  void Read(const Instruction& instruction);
  void Share(std::string_view text);

  std::map<std::string_view, std::string_view> object_of_;  // by the name of a pointer into it
  std::set<std::string_view> shared_;
};

}  // namespace grader::instrument

#endif  // GRADER_KIT_INSTRUMENT_LOCAL_OBJECTS_H_
