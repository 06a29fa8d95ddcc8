#include "grader/sandbox/checker/death.h"

#include <signal.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/cudasim/include/cudasim/exit_code.h"

namespace grader::checker {
namespace {

#include "grader/sandbox/checker/race_report_exit.inc"  // kRaceReportExit, as TSAN_OPTIONS says
constexpr int kSimulatorReportExit = cudasim::kFindingExitCode;

std::string CalledExit(int code, const Death& death) {
  return "the program called exit(" + std::to_string(code) + ") " + death.where;
}

struct Finding {
  std::string_view begin;
  Verdict verdict;
  const char* words;
};

constexpr std::array kThreadFindings{
    Finding{"data race", Verdict::kDataRace, "data race"},
    Finding{"lock-order-inversion", Verdict::kDeadlock, "locks are taken in both orders"},
    Finding{"heap-use-after-free", Verdict::kOutOfBounds, "use of memory after it was freed"},
    Finding{"", Verdict::kRuntimeError, "ThreadSanitizer reports an error"},
};
constexpr std::array kAddressFindings{
    Finding{"heap-use-after-free", Verdict::kOutOfBounds, "use of memory after it was freed"},
    Finding{"stack-use-after", Verdict::kOutOfBounds, "use of a local variable after its end"},
    Finding{"attempting", Verdict::kRuntimeError, "memory is freed that is not allocated"},
    Finding{"requested allocation", Verdict::kRuntimeError, "too large an allocation"},
    Finding{"out of memory", Verdict::kRuntimeError, "too large an allocation"},
    Finding{"memcpy-param-overlap", Verdict::kRuntimeError, "memcpy() of memory that overlaps"},
    Finding{"", Verdict::kOutOfBounds, "access to memory outside an object"},
};
constexpr std::array kUndefinedFindings{
    Finding{"index", Verdict::kOutOfBounds, "index out of bounds"},
    Finding{"execution reached the end", Verdict::kRuntimeError,
            "a function that must return a value ends without return"},
    Finding{"", Verdict::kRuntimeError, "UndefinedBehaviorSanitizer reports an error"},
};

// Quotes nothing of the report, as the program may have written it.
// grader/judging/judge/race_report.py and memory_report.py add the lines.
Failure ExplainSanitizerReport(const Death& death) {
  struct Tool {
    std::string_view begin;
    std::span<const Finding> findings;
  };
  static constexpr std::array kTools{
      Tool{"WARNING: ThreadSanitizer: ", kThreadFindings},
      Tool{"ERROR: AddressSanitizer: ", kAddressFindings},
      Tool{": runtime error: ", kUndefinedFindings},
  };
  const std::string_view report = death.error_output;
  for (const Tool& tool : kTools) {
    const std::size_t begin = report.find(tool.begin);
    if (begin == report.npos) continue;
    const std::string_view said = report.substr(begin + tool.begin.size());
    const auto found =
        std::find_if(tool.findings.begin(), tool.findings.end(),
                     [&](const Finding& finding) { return said.starts_with(finding.begin); });
    return Failure(found->verdict, found->words);
  }
  return Failure(Verdict::kRuntimeError, CalledExit(kRaceReportExit, death));
}

std::int64_t ElementAt(std::int64_t byte_offset, std::uint32_t element_size) {
  const auto size = static_cast<std::int64_t>(element_size);
  return byte_offset >= 0 ? byte_offset / size : -((-(byte_offset + 1)) / size) - 1;
}

// A fault in or near a span; nullopt if the worker's report of it is inconsistent.
std::optional<Failure> ExplainSpanFault(const Death& death) {
  const wire::Fault& fault = *death.fault;
  if (death.call == nullptr || fault.argument < 0) return std::nullopt;
  const auto index = static_cast<std::size_t>(fault.argument);
  if (index >= death.call->arguments.size()) return std::nullopt;
  const lab::Argument& argument = death.call->arguments[index];
  if (argument.kind == lab::Argument::Kind::kScalar) return std::nullopt;
  const std::int64_t element = ElementAt(fault.byte_offset, argument.element_size);
  const std::string verb = fault.access == wire::Access::kWrite  ? " wrote"
                           : fault.access == wire::Access::kRead ? " read"
                                                                 : " touched";
  const std::string what = Describe(*death.call) + verb + " element " + std::to_string(element) +
                           " of argument " + std::to_string(index + 1);
  const bool inside = element >= 0 && static_cast<std::size_t>(element) < argument.count;
  if (!inside) {
    return Failure(Verdict::kOutOfBounds,
                   what + ", which has " + std::to_string(argument.count) + " elements");
  }
  if (argument.kind != lab::Argument::Kind::kInput) return std::nullopt;
  return Failure(Verdict::kRuntimeError, what + ", which is an input and cannot be changed");
}

// Why std::terminate was called, by the sentence that libstdc++ prints; empty if it was not.
std::string_view TerminateWords(std::string_view error_output) {
  if (error_output.find("terminate called without an active exception") != error_output.npos) {
    return "a std::thread was destroyed without join() or detach()";
  }
  if (error_output.find("terminate called after throwing") != error_output.npos) {
    return "an exception escaped from a thread, a destructor or a noexcept function";
  }
  return "";
}

Failure ExplainSignal(const Death& death, int signal) {
  if (signal == SIGXFSZ) {
    return Failure(Verdict::kOutputLimit, "the program wrote too large a file " + death.where);
  }
  if (signal == SIGXCPU) {
    return Failure(Verdict::kTimeLimit, "the program used too much CPU time " + death.where);
  }
  std::string detail = "the program died of " + SignalName(signal) + " " + death.where;
  if (signal == SIGKILL) return Failure(Verdict::kKilled, detail);
  if (!death.fault_text.empty()) {
    detail += ": " + death.fault_text;
  } else if (const std::string_view words = TerminateWords(death.error_output);
             signal == SIGABRT && !words.empty()) {
    detail += ": ";
    detail += words;
  } else if (signal == SIGSEGV && !death.fault.has_value()) {
    // The worker reports every fault, unless the thread's stack has no room for its handler.
    detail +=
        ": the stack of a thread may have overflowed: endless recursion, or large local arrays";
  }
  return Failure(Verdict::kRuntimeError, detail);
}

}  // namespace

Failure Explain(const Death& death) {
  if (death.out_of_memory) {
    return Failure(Verdict::kMemoryLimit, "the program used more memory than the limit of " +
                                              std::to_string(death.memory_mb) + " MiB " +
                                              death.where);
  }
  const ExitStatus status = death.status.value_or(ExitStatus{0, SIGKILL});
  // AddressSanitizer reports signals, too: the worker's report of the fault knows more.
  if (status.signal == 0 && status.code == kRaceReportExit && death.mode == Mode::kRaces &&
      !death.fault.has_value()) {
    return ExplainSanitizerReport(death);
  }
  if (status.signal == 0 && status.code == kSimulatorReportExit) {
    // grader/judging/judge/retold.py puts the simulator's finding, if there is one, in its place.
    return Failure(Verdict::kRuntimeError, "cudasim: " + CalledExit(status.code, death));
  }
  if (death.fault.has_value()) {
    if (const std::optional<Failure> failure = ExplainSpanFault(death)) return *failure;
    return ExplainSignal(death, death.fault->signal);
  }
  if (status.signal != 0) return ExplainSignal(death, status.signal);
  return Failure(Verdict::kRuntimeError, CalledExit(status.code, death));
}

std::string Describe(const lab::Call& call) {
  std::string sizes;
  for (const lab::Argument& argument : call.arguments) {
    if (argument.kind == lab::Argument::Kind::kScalar) continue;
    if (!sizes.empty()) sizes += ", ";
    sizes += std::to_string(argument.count);
  }
  if (sizes.empty()) return call.function;
  const bool several = sizes.find(',') != sizes.npos;
  return std::string(call.function) + (several ? " (spans of " : " (span of ") + sizes +
         " elements)";
}

std::string SignalName(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

}  // namespace grader::checker
