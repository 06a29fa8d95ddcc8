#include "grader/kit/expose/orders.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace grader::expose {
namespace {

constexpr std::string_view kCombines = " @.red_comb.";
constexpr std::string_view kTask = " @.omp_task_entry.";

// In common/lab/task_reductions.h.
constexpr std::string_view kAfterTask = "__tsan_lab_task_ends";
constexpr std::string_view kBeforeCombining = "__tsan_lab_tasks_combine";

bool IsFence(std::string_view text) {
  return text.starts_with("fence ") || text.find(" @__kmpc_flush(") != text.npos;
}

bool IsAtomic(std::string_view text) {
  return text.starts_with("load atomic ") || text.starts_with("store atomic ") ||
         text.starts_with("atomicrmw ") || text.starts_with("cmpxchg ");
}

bool IsFunction(std::string_view line, std::string_view name) {
  return line.starts_with("define ") && line.find(name) != line.npos;
}

class Tasks {
 public:
  void Write(const std::string& line, Lines& result) {
    if (line.starts_with("define ")) {
      is_task_ = IsFunction(line, kTask);
      combines_ = IsFunction(line, kCombines);
    }
    const auto instruction = InstructionOf(line);
    if (instruction && std::exchange(combines_, false)) Call(kBeforeCombining, result);
    if (instruction && is_task_ && instruction->text.starts_with("ret ")) Call(kAfterTask, result);
    result.push_back(line);
  }

 private:
  static void Call(std::string_view function, Lines& result) {
    result.push_back("  call void @" + std::string(function) + "()");
  }

  bool is_task_ = false;
  bool combines_ = false;
};

}  // namespace

void StrengthenAtomics(Lines& function) {
  constexpr std::string_view kRelaxed = " monotonic", kStrong = " seq_cst";
  const auto text_of = [](const std::string& line) {
    const auto instruction = InstructionOf(line);
    return instruction ? instruction->text : std::string_view();
  };
  if (std::ranges::none_of(function, IsFence, text_of)) return;
  for (std::string& line : function) {
    if (!IsAtomic(text_of(line))) continue;
    for (std::size_t at = line.find(kRelaxed); at != line.npos; at = line.find(kRelaxed, at)) {
      line.replace(at, kRelaxed.size(), kStrong);
    }
  }
}

Lines WithOrderedTasks(const Lines& program) {
  if (std::ranges::none_of(program, [](const auto& line) { return IsFunction(line, kCombines); })) {
    return program;
  }
  Tasks tasks;
  Lines result;
  for (const std::string& line : program) tasks.Write(line, result);
  for (const std::string_view function : {kAfterTask, kBeforeCombining}) {
    result.push_back("declare void @" + std::string(function) + "()");
  }
  return result;
}

}  // namespace grader::expose
