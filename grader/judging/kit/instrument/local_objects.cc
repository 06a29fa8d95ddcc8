#include "grader/judging/kit/instrument/local_objects.h"

namespace grader::instrument {
namespace {

bool Computes(std::string_view text) {
  return text.starts_with("getelementptr ") || text.starts_with("bitcast ");
}

bool LetsNothingGo(std::string_view text) {
  return text.starts_with("load ") || text.starts_with("icmp ") ||
         text.find(" @llvm.lifetime.") != text.npos || text.find(" @llvm.dbg.") != text.npos;
}

}  // namespace

LocalObjects::LocalObjects(const Lines& function) {
  for (const std::string& line : function) {
    if (const auto instruction = InstructionOf(line)) Read(*instruction);
  }
}

bool LocalObjects::IsHidden(std::string_view pointer) const {
  const std::size_t at = pointer.rfind(" %");
  if (at == pointer.npos) return false;
  const auto found = object_of_.find(pointer.substr(at + 1));
  return found != object_of_.end() && found->first != found->second &&
         shared_.contains(found->second);
}

void LocalObjects::Read(const Instruction& instruction) {
  if (instruction.text.starts_with("alloca ")) {
    object_of_[instruction.result] = instruction.result;
    return;
  }
  if (LetsNothingGo(instruction.text)) return;
  if (!Computes(instruction.text)) Share(instruction.text);
  if (instruction.result.empty()) return;
  // A function may return its argument.
  for (const std::string_view name : LocalNames(instruction.text)) {
    const auto found = object_of_.find(name);
    if (found != object_of_.end()) object_of_.emplace(instruction.result, found->second);
  }
}

// All addresses that the instruction uses go elsewhere, but not the one it stores to.
void LocalObjects::Share(std::string_view text) {
  if (const auto access = AccessOf(text)) {
    text = text.substr(0, static_cast<std::size_t>(access->pointer.data() - text.data()));
  }
  for (const std::string_view name : LocalNames(text)) {
    if (const auto found = object_of_.find(name); found != object_of_.end()) {
      shared_.insert(found->second);
    }
  }
}

}  // namespace grader::instrument
