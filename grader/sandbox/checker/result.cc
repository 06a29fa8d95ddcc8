#include "grader/sandbox/checker/result.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grader/sandbox/checker/printable.h"

namespace grader::checker {

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceResult, name, copy_gb_s, fp32_gflop_s, bytes, operations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Control, low, high, decision)

namespace {

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json ToJson(const TimedResult& timed) {
  return {{"ratio", timed.ratio},
          {"first", timed.first},
          {"low", timed.low},
          {"high", timed.high},
          {"pairs", timed.pairs},
          {"decision", timed.decision},
          {"student_ms", timed.student_ms},
          {"reference_ms", timed.reference_ms},
          {"shortest_ms", timed.shortest_ms},
          {"short_calls", timed.short_calls},
          {"device", OrNull(timed.device)},
          {"control", OrNull(timed.control)}};
}

Json ToJson(const TeamMeasured& measured) {
  return {{"value", measured.value},
          {"low", measured.low},
          {"high", measured.high},
          {"rounds", measured.rounds},
          {"decision", measured.decision},
          {"runnable", measured.runnable},
          {"inflation", measured.inflation},
          {"copies", measured.copies},
          {"balance", measured.balance},
          {"shared_by", measured.shared_by},
          {"speedup", measured.speedup},
          {"alone_ms", measured.alone_ms},
          {"shortest_ms", measured.shortest_ms},
          {"short_calls", measured.short_calls},
          {"control", OrNull(measured.control)}};
}

Json ToJson(const TeamRun& run) {
  return {{"team", run.team},
          {"cores", run.cores},
          {"waits_counted", run.waits_counted},
          {"measured", run.measured ? ToJson(*run.measured) : Json()}};
}

// null for a test that was skipped.
Json VerdictOf(const Case& test) {
  if (test.verdict == Verdict::kNotWritten) return Name(Verdict::kWrongAnswer);
  if (test.verdict == Verdict::kKilled) return Name(Verdict::kRuntimeError);
  if (test.verdict) return Name(*test.verdict);
  if (!test.failures.empty()) return Name(Verdict::kWrongAnswer);
  return test.skipped ? Json() : Json(Name(Verdict::kAccepted));
}

std::string MessageOf(const Case& test) {
  if (!test.detail.empty()) return OneLine(test.detail);
  std::string message;
  for (const std::string& failure : test.failures) {
    message += (message.empty() ? "" : "\n") + Printable(failure);
  }
  return message;
}

Json ToJson(const Case& test) {
  Json profiles = Json::array();
  for (const std::string& profile : test.profiles) profiles.push_back(Printable(profile));
  return {{"suite", test.suite},
          {"name", test.name},
          {"verdict", VerdictOf(test)},
          {"message", MessageOf(test)},
          {"not_written", test.verdict == Verdict::kNotWritten},
          {"killed", test.verdict == Verdict::kKilled},
          {"stderr", Printable(test.error_output)},
          {"findings", Printable(test.findings)},
          {"stacks", Printable(test.stacks)},
          {"profiles", profiles},
          {"profile_cut", test.profile_cut},
          {"timed", test.timed ? ToJson(*test.timed) : Json()},
          {"team_run", test.team_run ? ToJson(*test.team_run) : Json()}};
}

}  // namespace

void Result::Begin(std::string_view suite, std::string_view name) {
  cases_.push_back({std::string(suite), std::string(name)});
}

Case& Result::Running() { return cases_.empty() ? none_ : cases_.back(); }

void Result::Write(const std::string& path,
                   const std::vector<std::string>& protections_lost) const {
  Json cases = Json::array();
  for (const Case& test : cases_) cases.push_back(ToJson(test));
  const Json document = {
      {"schema", kResultSchema}, {"protections_lost", protections_lost}, {"cases", cases}};
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << document.dump() << '\n';
  file.close();
  if (!file) {
    throw std::runtime_error("checker: " + path +
                             " is not complete\n  next: free some space and run again");
  }
}

Result& TheResult() {
  static Result& result = *new Result;  // tests may still run while the process ends
  return result;
}

}  // namespace grader::checker
