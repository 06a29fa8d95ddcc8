#include "grader/run/checker/options.h"

#include <getopt.h>

#include <array>
#include <charconv>
#include <string_view>

namespace grader::checker {
namespace {

enum Flag {
  kMode = 1,
  kSeed,
  kWorker,
  kStudent,
  kReference,
  kReferenceWorker,
  kCallSeconds,
  kRunSeconds,
  kMemory,
  kPids,
  kOutputSize,
  kEnv,
  kTiming,
  kParallelism,
  kTeam,
  kHostBytes,
  kSuites,
  kOutput,
  kGpu,
  kAllowUnjailed,
};

constexpr std::array<option, 21> kFlags{{
    {"mode", required_argument, nullptr, kMode},
    {"seed", required_argument, nullptr, kSeed},
    {"worker", required_argument, nullptr, kWorker},
    {"student", required_argument, nullptr, kStudent},
    {"reference", required_argument, nullptr, kReference},
    {"reference-worker", required_argument, nullptr, kReferenceWorker},
    {"call-seconds", required_argument, nullptr, kCallSeconds},
    {"run-seconds", required_argument, nullptr, kRunSeconds},
    {"memory-mb", required_argument, nullptr, kMemory},
    {"pids", required_argument, nullptr, kPids},
    {"output-kb", required_argument, nullptr, kOutputSize},
    {"env", required_argument, nullptr, kEnv},
    {"timing", required_argument, nullptr, kTiming},
    {"parallelism", required_argument, nullptr, kParallelism},
    {"team", required_argument, nullptr, kTeam},
    {"host-bytes", required_argument, nullptr, kHostBytes},
    {"suites", required_argument, nullptr, kSuites},
    {"output", required_argument, nullptr, kOutput},
    {"gpu", no_argument, nullptr, kGpu},
    {"allow-unjailed", no_argument, nullptr, kAllowUnjailed},
    {nullptr, 0, nullptr, 0},
}};

[[noreturn]] void Refuse(const std::string& what, const std::string& next) {
  throw UsageError("error: checker: " + what + "\n  next: " + next);
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

template <typename Number>
Number Parse(const std::string& flag, const std::string& text, Number smallest) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= smallest)) {
    Refuse("--" + flag + ": '" + text + "', limit a number of at least " + std::to_string(smallest),
           "mend that option");
  }
  return value;
}

Mode ParseMode(const std::string& text) {
  if (text == "tests") return Mode::kTests;
  if (text == "races") return Mode::kRaces;
  if (text == "timing") return Mode::kTiming;
  if (text == "counters") return Mode::kCounters;
  Refuse("--mode: '" + text + "'", "use tests, races, timing or counters");
}

// full, zero, budget_s and perhaps confidence: parts[1] to parts[4].
lab::StoppingRule ParseRule(const std::string& flag, const std::vector<std::string>& parts) {
  lab::StoppingRule rule;
  rule.full = Parse(flag, parts[1], 0.0);
  rule.zero = Parse(flag, parts[2], 0.0);
  rule.budget_seconds = Parse(flag, parts[3], 0.0);
  if (parts.size() > 4) rule.confidence = Parse(flag, parts[4], 0.5);
  return rule;
}

[[noreturn]] void RefuseThresholds(const std::string& flag, const std::string& text,
                                   const std::string& order) {
  Refuse("--" + flag + ": '" + text + "', limit " + order + " and 0.5 <= CONFIDENCE < 1",
         "mend the thresholds in lab.toml");
}

// SUITE:full:zero:budget_s[:confidence]. A suite's name has no colon.
TimingSuite ParseTiming(const std::string& text) {
  const std::vector<std::string> parts = Split(text, ':');
  if (parts.size() != 4 && parts.size() != 5) {
    Refuse("--timing: '" + text + "'", "write SUITE:FULL:ZERO:BUDGET_S[:CONFIDENCE]");
  }
  const TimingSuite timing{parts[0], ParseRule("timing", parts)};
  if (timing.rule.full >= timing.rule.zero || timing.rule.confidence >= 1) {
    RefuseThresholds("timing", text, "FULL < ZERO");
  }
  return timing;
}

// SUITE:full:zero:budget_s:confidence[:cap].
ParallelismSuite ParseParallelism(const std::string& text) {
  constexpr double kResolution = 0.1;  // a round takes longer than a timed pair
  const std::vector<std::string> parts = Split(text, ':');
  if (parts.size() != 5 && parts.size() != 6) {
    Refuse("--parallelism: '" + text + "'", "write SUITE:FULL:ZERO:BUDGET_S:CONFIDENCE[:CAP]");
  }
  ParallelismSuite parallelism{parts[0], ParseRule("parallelism", parts)};
  parallelism.rule.resolution = kResolution;
  if (parts.size() == 6) parallelism.cap = Parse("parallelism", parts[5], 1.0);
  if (parallelism.rule.zero >= parallelism.rule.full || parallelism.rule.confidence >= 1) {
    RefuseThresholds("parallelism", text, "ZERO < FULL");
  }
  return parallelism;
}

std::pair<std::string, std::string> ParseEnv(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    Refuse("--env: '" + text + "'", "write NAME=VALUE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::pair<std::string, double> ParseHostBytes(const std::string& text) {
  const std::vector<std::string> parts = Split(text, ':');
  if (parts.size() != 2) Refuse("--host-bytes: '" + text + "'", "write FUNCTION:BYTES");
  return {parts[0], Parse("host-bytes", parts[1], 0.0)};
}

void Apply(int flag, const std::string& value, Options& options) {
  switch (flag) {
    case kMode:
      options.mode = ParseMode(value);
      break;
    case kSeed:
      options.seed = Parse<std::uint64_t>("seed", value, 0);
      break;
    case kWorker:
      options.worker = value;
      break;
    case kStudent:
      options.student = value;
      break;
    case kReference:
      options.reference = value;
      break;
    case kReferenceWorker:
      options.reference_worker = value;
      break;
    case kCallSeconds:
      options.call_seconds = Parse("call-seconds", value, 0.001);
      break;
    case kRunSeconds:
      options.run_seconds = Parse("run-seconds", value, 0.001);
      break;
    case kMemory:
      options.memory_mb = Parse<long>("memory-mb", value, 1);
      break;
    case kPids:
      options.pids = Parse<long>("pids", value, 1);
      break;
    case kOutputSize:
      options.output_kb = Parse<long>("output-kb", value, 1);
      break;
    case kEnv:
      options.env.push_back(ParseEnv(value));
      break;
    case kTiming:
      options.timing.push_back(ParseTiming(value));
      break;
    case kParallelism:
      options.parallelism.push_back(ParseParallelism(value));
      break;
    case kTeam:
      options.team = Parse("team", value, 2);
      break;
    case kHostBytes:
      options.host_bytes.insert(ParseHostBytes(value));
      break;
    case kSuites:
      options.suites = Split(value, ',');
      break;
    case kOutput:
      options.output = value;
      break;
    case kGpu:
      options.gpu = true;
      break;
    case kAllowUnjailed:
      options.allow_unjailed = true;
      break;
    default:
      Refuse("unknown option, or one without its value",
             "see grader/run/checker/options.h for the options");
  }
}

void RequireFile(const std::string& flag, const std::string& value) {
  if (value.empty()) Refuse("--" + flag + " is missing", "say where it is");
}

}  // namespace

Options ParseOptions(int argc, char** argv) {
  Options options;
  opterr = 0;
  int flag = 0;
  while ((flag = getopt_long(argc, argv, "", kFlags.data(), nullptr)) != -1) {
    Apply(flag, optarg == nullptr ? "" : optarg, options);
  }
  if (optind < argc) Refuse(std::string("argument: '") + argv[optind] + "'", "use options only");
  RequireFile("worker", options.worker);
  RequireFile("student", options.student);
  RequireFile("output", options.output);
  if (options.mode == Mode::kTiming) {
    RequireFile("reference", options.reference);
    if (options.timing.empty() && options.parallelism.empty()) {
      Refuse("--timing and --parallelism are missing", "name at least one timing suite");
    }
  }
  if (options.gpu && options.mode != Mode::kTiming) Refuse("--gpu", "use it with --mode=timing");
  if (options.reference_worker.empty()) options.reference_worker = options.worker;
  return options;
}

std::vector<std::string> SelectedSuites(const Options& options) {
  if (options.mode != Mode::kTiming) return options.suites;
  std::vector<std::string> suites;
  for (const TimingSuite& timing : options.timing) suites.push_back(timing.suite);
  for (const ParallelismSuite& suite : options.parallelism) suites.push_back(suite.suite);
  return suites;
}

std::string FilterFor(const std::vector<std::string>& suites) {
  std::string filter;
  for (const std::string& suite : suites) {
    if (!filter.empty()) filter += ':';
    filter += suite + ".*:" + suite + "/*.*:*/" + suite + ".*:*/" + suite + "/*.*";
  }
  return filter.empty() ? "*" : filter;
}

}  // namespace grader::checker
