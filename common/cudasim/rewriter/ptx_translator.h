// The translation of PTX, for ptx.cc and ptx_instructions.cc.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/cudasim/rewriter/assembly.h"

namespace cudasim::rewriter {

// Cuts at a character outside brackets.
std::vector<std::string> SplitPtx(const std::string& text, char at);

// True for a modifier of loads, stores and copies that changes nothing here: caches are not
// modelled.
bool IsPtxHint(const std::string& modifier);

class Translator {
 public:
  explicit Translator(const Token& place) : place_(place) {}

  std::string Statement(const std::string& text);

 private:
  [[noreturn]] void Refuse(const std::string& what) const {
    throw RewriteError(place_, "inline PTX is not simulated: " + what,
                       "use a function of CUDA C++ in its place");
  }
  void Require(bool holds, const Instruction& i) const {
    if (!holds) Refuse(i.text);
  }

  std::string Here() const { return Quoted(place_.file) + ", " + std::to_string(place_.line); }
  std::string Register(const std::string& text) const;
  std::string Value(const std::string& text) const;
  std::string Address(const std::string& text, bool shared) const;
  std::vector<std::string> Vector(const std::string& text) const;
  static std::string Set(const std::string& to, const std::string& value) {
    return "::cudasim::ptx::Set(" + to + ", " + value + "); ";
  }

  std::string Declare(const std::string& text);
  std::string Translate(const Instruction& i) const;
  std::string Move(const Instruction& i) const;
  std::string LoadOrStore(const Instruction& i) const;
  std::string CopyAsync(const Instruction& i) const;
  std::string Copy(const Instruction& i) const;
  std::string Fence(const Instruction& i) const;
  std::string Barrier(const Instruction& i) const;
  std::string MapShared(const Instruction& i) const;
  std::string Convert(const Instruction& i) const;
  std::string Matrices(const Instruction& i) const;
  std::string Multiply(const Instruction& i) const;
  std::string Bits(const std::string& name, const std::string& operand) const;

  const Token& place_;
  std::set<std::string> registers_;
};

}  // namespace cudasim::rewriter
