#include "grader/sandbox/checker/options.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <map>

#include "grader/sandbox/command_line/command_line.h"

namespace grader::checker {
namespace {

[[noreturn]] void Refuse(const std::string& what, const std::string& next) {
  throw UsageError("checker: " + what + "\n  next: " + next);
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts = CLI::detail::split(text, separator);
  return text.empty() ? std::vector<std::string>() : parts;
}

double Number(const std::string& flag, const std::string& text, double least, double most = 1e9) {
  std::string value = text;
  const std::string problem = NumberFrom(least, most)(value);
  if (!problem.empty()) Refuse("--" + flag + ": " + problem, "correct the thresholds in lab.toml");
  return std::stod(text);
}

// SUITE:full:zero:budget_s:confidence. A suite's name has no colon.
std::vector<std::string> RuleParts(const std::string& flag, const std::string& text) {
  std::vector<std::string> parts = Split(text, ':');
  if (parts.size() != 5) {
    Refuse("--" + flag + ": '" + text + "'", "write SUITE:FULL:ZERO:BUDGET_S:CONFIDENCE");
  }
  return parts;
}

lab::StoppingRule ParseRule(const std::string& flag, const std::vector<std::string>& parts) {
  lab::StoppingRule rule;
  rule.full = Number(flag, parts[1], 0);
  rule.zero = Number(flag, parts[2], 0);
  rule.budget_seconds = Number(flag, parts[3], 0);
  rule.confidence = Number(flag, parts[4], 0.5);
  return rule;
}

void RequireOrder(const std::string& flag, const lab::StoppingRule& rule, bool ordered,
                  const std::string& order) {
  if (ordered && rule.confidence < 1) return;
  Refuse("--" + flag + ": limit " + order + " and 0.5 <= CONFIDENCE < 1",
         "correct the thresholds in lab.toml");
}

TimingSuite ParseTiming(const std::string& text) {
  const std::vector<std::string> parts = RuleParts("timing", text);
  const TimingSuite timing{parts[0], ParseRule("timing", parts)};
  RequireOrder("timing", timing.rule, timing.rule.full < timing.rule.zero, "FULL < ZERO");
  return timing;
}

ParallelismSuite ParseParallelism(const std::string& text) {
  constexpr double kResolution = 0.1;  // a round takes longer than a timed pair
  const std::vector<std::string> parts = RuleParts("parallelism", text);
  ParallelismSuite parallelism{parts[0], ParseRule("parallelism", parts)};
  parallelism.rule.resolution = kResolution;
  RequireOrder("parallelism", parallelism.rule, parallelism.rule.zero < parallelism.rule.full,
               "ZERO < FULL");
  return parallelism;
}

std::pair<std::string, double> ParseHostBytes(const std::string& text) {
  const std::vector<std::string> parts = Split(text, ':');
  if (parts.size() != 2) Refuse("--host-bytes: '" + text + "'", "write FUNCTION:BYTES");
  return {parts[0], Number("host-bytes", parts[1], 0, std::numeric_limits<double>::infinity())};
}

// Options that are parsed further.
struct Texts {
  std::vector<std::string> env, timing, parallelism, host_bytes;
  std::string suites;
};

void AddFiles(CLI::App& app, Options& options) {
  app.add_option("--worker", options.worker, "program that loads a library and calls it")
      ->required();
  app.add_option("--student", options.student, "the submission's library")->required();
  app.add_option("--reference", options.reference, "the reference's library, for timing");
  app.add_option("--reference-worker", options.reference_worker,
                 "the reference's worker (default: --worker)");
  CLI::Option* const counted = app.add_option(
      "--counted", options.counted, "the submission's library, built for counting accesses");
  app.add_option("--counted-worker", options.counted_worker, "the worker that counts them")
      ->needs(counted);
  counted->needs("--counted-worker");
  app.add_option("--output", options.output, "file for the result")->required();
}

void AddLimits(CLI::App& app, Options& options) {
  AddLimit(app, "--call-seconds", options.call_seconds, "wall time of a call minus run-queue wait",
           0.001);
  AddLimit(app, "--run-seconds", options.run_seconds, "the same, of the submission over the run",
           0.001);
  AddLimit(app, "--memory-mb", options.memory_mb, "memory of the worker and what it starts", 1);
  AddLimit(app, "--pids", options.pids, "processes and threads", 1);
  AddLimit(app, "--file-mb", options.file_mb, "largest file that it may write", 1);
  AddLimit(app, "--tmp-mb", options.tmp_mb, "size of its /tmp", 1);
  AddLimit(app, "--stack-mb", options.stack_mb, "size of its stack", 1);
  app.add_option("--reserved-mb", options.reserved_mb,
                 "writable memory that it reserves and mostly never touches (0)")
      ->check(NumberFrom(0));
  AddLimit(app, "--output-kb", options.output_kb, "size of its output", 1);
}

void AddTests(CLI::App& app, Options& options, Texts& texts) {
  const std::map<std::string, Mode> modes = {{"tests", Mode::kTests},
                                             {"races", Mode::kRaces},
                                             {"timing", Mode::kTiming},
                                             {"counters", Mode::kCounters},
                                             {"shares", Mode::kShares}};
  app.add_option("--mode", options.mode, "tests, races, timing, counters or shares")
      ->transform(CLI::CheckedTransformer(modes).description(""));
  app.add_option("--suites", texts.suites, "these test suites, separated by commas");
  app.add_option("--team", options.team, "threads of a team whose parallelism is measured")
      ->check(NumberFrom(2));
  app.add_flag("--ranks", options.ranks, "the worker starts processes, the program's ranks");
  app.add_flag("--gpu", options.gpu, "the library is for a GPU, which is used and timed");
  app.add_flag("--allow-unjailed", options.allow_unjailed,
               "run it unjailed where no jail can be started: never for untrusted code");
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_expected_max() == 1) option->take_last();
  }
  const auto add = [&app](const char* name, std::vector<std::string>& values, const char* what) {
    app.add_option(name, values, what)->expected(1)->take_all();
  };
  add("--env", texts.env, "NAME=VALUE: a variable of the worker");
  add("--timing", texts.timing, "SUITE:FULL:ZERO:BUDGET_S:CONFIDENCE");
  add("--parallelism", texts.parallelism, "SUITE:FULL:ZERO:BUDGET_S:CONFIDENCE");
  add("--host-bytes", texts.host_bytes, "FUNCTION:BYTES of an output that the host may write");
}

void Take(const Texts& texts, Options& options) {
  for (const std::string& text : texts.env) options.env.push_back(ParseVariable(text));
  for (const std::string& text : texts.timing) options.timing.push_back(ParseTiming(text));
  for (const std::string& text : texts.parallelism) {
    options.parallelism.push_back(ParseParallelism(text));
  }
  for (const std::string& text : texts.host_bytes) options.host_bytes.insert(ParseHostBytes(text));
  options.suites = Split(texts.suites, ',');
}

void RequireConsistency(const Options& options) {
  if (options.mode == Mode::kTiming) {
    if (options.reference.empty()) Refuse("--reference is missing", "give its path");
    if (options.timing.empty() && options.parallelism.empty()) {
      Refuse("--timing and --parallelism are missing", "name at least one timing suite");
    }
  }
  if (options.mode == Mode::kShares && options.counted.empty()) {
    Refuse("--counted is missing", "give its path");
  }
  if (!options.parallelism.empty() && options.team == 0) Refuse("--team is missing", "give a size");
  if (options.gpu && options.mode != Mode::kTiming) Refuse("--gpu", "use it with --mode=timing");
}

}  // namespace

Options ParseOptions(const std::vector<std::string>& words) {
  Options options;
  Texts texts;
  CLI::App app("Judges a submission: its verdicts, as a JSON document.", "checker");
  AddFiles(app, options);
  AddLimits(app, options);
  AddTests(app, options, texts);
  Parse(app, words);
  Take(texts, options);
  RequireConsistency(options);
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
