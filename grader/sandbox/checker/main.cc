// The trusted side of the grader: runs a lab's hidden tests against a submission that lives in a
// jailed worker process. Linked with the tests, and given a library by name; see options.h.
//
// Ends with 0 when the result (see result.h) is complete,
// whatever the verdicts, and with 3 and a line on stderr when there is no result.
#include <ctype.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/lab/call/run_settings.h"
#include "grader/sandbox/checker/larger_sizes.h"
#include "grader/sandbox/checker/listener.h"
#include "grader/sandbox/checker/options.h"
#include "grader/sandbox/checker/result.h"
#include "grader/sandbox/checker/session.h"
#include "grader/sandbox/checker/stop.h"
#include "grader/sandbox/command_line/command_line.h"
#include "grader/sandbox/jail/descriptor.h"

namespace grader::checker {
namespace {

constexpr int kRoundsOfLargerSizes = 2;

// Variables that Bazel or a user has set must not select tests.
void ForgetTestEnvironment() {
  for (const char* const name :
       {"TESTBRIDGE_TEST_ONLY", "TESTBRIDGE_TEST_RUNNER_FAIL_FAST", "TEST_PREMATURE_EXIT_FILE",
        "TEST_SHARD_STATUS_FILE", "TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS",
        "GTEST_SHARD_INDEX", "GTEST_SHARD_STATUS_FILE", "XML_OUTPUT_FILE"}) {
    unsetenv(name);
  }
}

// Takes the key of the tests' inputs from the environment: a command line is for all to read.
lab::RandomKey TakeRandomKey() {
  constexpr const char* kVariable = "RANDOM_KEY";
  constexpr std::size_t kHalf = 16;
  const char* const value = getenv(kVariable);
  const std::string text = value == nullptr ? "" : value;
  unsetenv(kVariable);
  const bool is_key = text.size() == 2 * kHalf && std::ranges::all_of(text, isxdigit);
  if (!is_key) {
    throw UsageError(
        "checker: RANDOM_KEY is not 32 hexadecimal digits\n  next: set it in the environment");
  }
  return {std::stoull(text.substr(0, kHalf), nullptr, 16),
          std::stoull(text.substr(kHalf), nullptr, 16)};
}

// Truncates the output file, so that a result found afterwards is this run's.
void ClearOutput(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.valid()) {
    throw UsageError("checker: cannot write " + path + ": " + strerror(errno) +
                     "\n  next: make its folder, or free some space");
  }
}

// Keeps freed memory: page faults take as long as drawing and comparing large arrays.
void KeepFreedMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

void InitGoogleTest(const Options& options) {
  std::vector<std::string> arguments = {"checker",
                                        "--gtest_filter=" + FilterFor(SelectedSuites(options)),
                                        "--gtest_catch_exceptions=1",
                                        "--gtest_break_on_failure=0",
                                        "--gtest_throw_on_failure=0",
                                        "--gtest_also_run_disabled_tests=0",
                                        "--gtest_shuffle=0",
                                        "--gtest_repeat=1",
                                        "--gtest_fail_fast=0"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  testing::InitGoogleTest(&argc, argv.data());
}

void RequireTests(const Options& options) {
  if (testing::UnitTest::GetInstance()->test_to_run_count() > 0) return;
  throw UsageError("checker: no test matches " + FilterFor(SelectedSuites(options)) +
                   "\n  next: check the suites named in lab.toml");
}

int Main(const std::vector<std::string>& words) {
  const Options options = ParseOptions(words);
  ClearOutput(options.output);
  ForgetTestEnvironment();
  KeepFreedMemory();
  signal(SIGPIPE, SIG_IGN);  // a write to a dead worker must not end this process
  lab::SetRandomKey(TakeRandomKey());
  lab::SetTimesGpu(options.gpu);
  InitGoogleTest(options);
  Session session(options);
  SetSession(&session);
  WatchForStop([&session] { session.EndSuite(); });
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  std::optional<LargerSizes> sizes;
  if (options.mode == Mode::kRaces) sizes.emplace(session.student_time());
  listeners.Append(new Listener(session, sizes ? &*sizes : nullptr));
  [[maybe_unused]] int failed = RUN_ALL_TESTS();  // failed tests are results, not errors
  RequireTests(options);
  for (int round = 0; sizes && round < kRoundsOfLargerSizes; ++round) {
    const std::string filter = sizes->NextRound();
    if (filter.empty()) break;
    GTEST_FLAG_SET(filter, filter);
    failed = RUN_ALL_TESTS();
  }
  TheResult().Write(options.output, session.protections_lost());
  return 0;
}

}  // namespace
}  // namespace grader::checker

int main(int argc, char** argv) {
  try {
    return grader::checker::Main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    fprintf(stderr, "error: %s\n", error.what());
    return grader::checker::kNoResult;
  }
}
