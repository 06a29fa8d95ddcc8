#include "grader/judging/kit/instrument/instrument.h"

#include <string>
#include <string_view>
#include <utility>

#include "grader/judging/kit/instrument/local_objects.h"
#include "grader/judging/kit/instrument/orders.h"
#include "grader/judging/kit/instrument/unseen_accesses.h"

namespace grader::instrument {
namespace {

// `, !dbg !7`, the line of the instruction, or empty.
std::string_view PlaceOf(std::string_view line) {
  constexpr std::string_view kPlace = ", !dbg !";
  const std::size_t begin = line.rfind(kPlace);
  if (begin == line.npos) return {};
  const std::size_t end = line.find_first_not_of("0123456789", begin + kPlace.size());
  return line.substr(begin, end == line.npos ? end : end - begin);
}

class Writer {
 public:
  Writer(const Lines& program, Lines& result) : result_(result), tasks_(program) {}

  void Write(Lines function) {
    if (function.empty()) return;
    tasks_.Add(function);
    const LocalObjects objects(function);
    for (const std::string& line : function) {
      if (const auto instruction = InstructionOf(line)) {
        const auto access = AccessOf(instruction->text);
        if (access && objects.IsHidden(access->pointer)) Use(access->pointer);
        for (const UnseenAccess& unseen : UnseenAccesses(instruction->text)) {
          Announce(unseen, PlaceOf(line));
        }
      }
      result_.push_back(line);
    }
  }

  void Declare() {
    tasks_.Declare(result_);
    if (announced_ == 0) return;
    for (const std::string_view what : {"read", "write"}) {
      result_.push_back("declare void @__tsan_" + std::string(what) + "_range(" + byte_pointer_ +
                        ", i64)");
    }
  }

 private:
  void Use(std::string_view pointer) {
    result_.push_back("  call void asm sideeffect \"\", \"r\"(" + std::string(pointer) + ")");
  }

  void Announce(const UnseenAccess& access, std::string_view place) {
    byte_pointer_ = access.pointer.starts_with("ptr ") ? "ptr" : "i8*";
    const std::string name = "%instrumented." + std::to_string(announced_++);
    result_.push_back("  " + name + " = bitcast " + access.pointer + " to " + byte_pointer_);
    result_.push_back("  call void @__tsan_" + std::string(access.writes ? "write" : "read") +
                      "_range(" + byte_pointer_ + " " + name + ", i64 " + access.bytes + ")" +
                      std::string(place));
  }

  Lines& result_;
  TaskOrders tasks_;
  std::string byte_pointer_;
  unsigned long announced_ = 0;
};

}  // namespace

Lines Unoptimised(Lines program) {
  constexpr std::pair<std::string_view, std::string_view> kReplaced[] = {
      {"!{!\"llvm.loop.vectorize.enable\", i1 true}",
       "!{!\"llvm.loop.vectorize.enable\", i1 false}"},
      {"!{!\"vtable pointer\", ", "!{!\"pointer to a vtable\", "}};
  for (std::string& line : program) {
    if (!line.starts_with('!')) continue;
    for (const auto& [what, by] : kReplaced) {
      if (const auto at = line.find(what); at != line.npos) line.replace(at, what.size(), by);
    }
  }
  return program;
}

Lines Optimised(const Lines& program) {
  Lines result, function;
  Writer writer(program, result);
  for (const std::string& line : program) {
    function.push_back(line);
    if (function.front().starts_with("define ") && line != "}") continue;
    writer.Write(std::exchange(function, {}));
  }
  writer.Write(function);
  writer.Declare();
  return result;
}

}  // namespace grader::instrument
