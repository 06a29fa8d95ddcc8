#include "grader/judging/kit/instrument/orders.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace grader::instrument {
namespace {

constexpr std::string_view kCombines = " @.red_comb.";
constexpr std::string_view kTask = " @.omp_task_entry.";

// In common/lab/race_checker/task_reductions.h.
constexpr std::string_view kAfterTask = "__tsan_lab_task_ends";
constexpr std::string_view kBeforeCombining = "__tsan_lab_tasks_combine";

bool IsFunction(std::string_view line, std::string_view name) {
  return line.starts_with("define ") && line.find(name) != line.npos;
}

std::string_view TextOf(const std::string& line) {
  const auto instruction = InstructionOf(line);
  return instruction ? instruction->text : std::string_view();
}

std::string CallOf(std::string_view function) {
  return "  call void @" + std::string(function) + "()";
}

}  // namespace

TaskOrders::TaskOrders(const Lines& program)
    : combines_(std::ranges::any_of(
          program, [](const auto& line) { return IsFunction(line, kCombines); })) {}

void TaskOrders::Add(Lines& function) const {
  if (!combines_) return;
  const auto is_instruction = [](const auto& line) { return InstructionOf(line).has_value(); };
  if (IsFunction(function.front(), kCombines)) {
    function.insert(std::ranges::find_if(function, is_instruction), CallOf(kBeforeCombining));
  }
  if (!IsFunction(function.front(), kTask)) return;
  Lines ordered;
  for (std::string& line : function) {
    if (TextOf(line).starts_with("ret ")) ordered.push_back(CallOf(kAfterTask));
    ordered.push_back(std::move(line));
  }
  function = std::move(ordered);
}

void TaskOrders::Declare(Lines& program) const {
  if (!combines_) return;
  for (const std::string_view function : {kAfterTask, kBeforeCombining}) {
    program.push_back("declare void @" + std::string(function) + "()");
  }
}

}  // namespace grader::instrument
