// main() of a lab's test. It fails a run that left tests out, wherever the filter came from.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <optional>
#include <string>

#include "common/lab/test_program/not_written_log.h"
#include "common/lab/test_program/progress.h"
#include "common/lab/test_program/requirement.h"
#include "common/lab/test_program/test_printer.h"
#include "common/lab/testing/inputs.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LAB_HAS_THREAD_SANITIZER
#include <fcntl.h>
#include <unistd.h>

#include "common/lab/race_checker/pauses.h"
#endif
#endif

namespace lab {
namespace {

#ifdef LAB_HAS_THREAD_SANITIZER
extern "C" void __sanitizer_symbolize_pc(void* pc, const char* format, char* out,
                                         std::size_t out_size);

// Says the lines of a return address as ThreadSanitizer does: of inlined functions, too.
LAB_UNWATCHED void SayLines(std::uintptr_t return_address) {
  char places[4096] = {};  // each ends with a zero
  __sanitizer_symbolize_pc(reinterpret_cast<void*>(return_address), "%f %S", places,
                           sizeof(places) - 1);
  for (const char* place = places; *place != 0; place += __builtin_strlen(place) + 1) {
    Say("    #0 ");
    Say(place);
    Say(" ()\n");
  }
}

// Keeps what pauses say for tests that fail: where another thread came in one that passed was
// right.
class PausesListener : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo&) override {
    reports = 0;
    begin_ = lseek(said_to, 0, SEEK_END);
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    if (test.result()->Passed()) static_cast<void>(ftruncate(said_to, begin_) == 0);
  }

 private:
  off_t begin_ = 0;
};

// To the file that the guard around the program has named.
void KeepPauses(testing::TestEventListeners& listeners) {
  const char* path = std::getenv("LAB_PAUSES");
  if (path == nullptr) return;
  said_to = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  say_lines = SayLines;
  listeners.Append(new PausesListener);
}
#endif

// Tells the guard which test runs.
class ProgressListener : public testing::EmptyTestEventListener {
 public:
  explicit ProgressListener(Progress& progress) : progress_(progress) {}

  void OnTestStart(const testing::TestInfo& test) override {
    progress_.Start(std::string(test.test_suite_name()) + "." + test.name());
  }
  void OnTestEnd(const testing::TestInfo&) override { progress_.EndTest(); }

 private:
  Progress& progress_;
};

// Tests that should have run and were not even tried: filtered, sharded away, or only listed.
int TestsLeftOut(const testing::UnitTest& program) {
  int ran = 0;
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      // A test that ran has a time stamp.
      if (suite.GetTestInfo(j)->result()->start_timestamp() != 0) ++ran;
    }
  }
  const int disabled = GTEST_FLAG_GET(also_run_disabled_tests) ? 0 : program.disabled_test_count();
  return program.total_test_count() - disabled - ran;
}

std::string WhatLeftThemOut() {
  if (GTEST_FLAG_GET(filter) == "*") {
    return "leave out shards, --gtest_repeat and --gtest_list_tests";
  }
  if (std::getenv("GTEST_FILTER") != nullptr) return "unset GTEST_FILTER in the environment";
  if (std::getenv("TESTBRIDGE_TEST_ONLY") != nullptr) return "leave out bazel's --test_filter";
  return "leave out the filter";
}

// "SumTest, PrefixTest".
std::string SuitesOf(const testing::UnitTest& program) {
  std::string suites;
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    suites += (i > 0 ? ", " : "") + std::string(program.GetTestSuite(i)->name());
  }
  return suites;
}

int FailForNothingRun(const testing::UnitTest& program) {
  std::printf(
      "error: no test ran: %d of %d skipped, %d disabled, limit at least one\n"
      "  next: link a test into the program, or see why all were skipped\n",
      program.skipped_test_count(), program.total_test_count(), program.disabled_test_count());
  return 1;
}

// Not a pass: no test has run.
int FailForMissing(const Requirement::Missing& missing) {
  std::printf("SKIPPED all %d tests: %s\n  next: %s\n",
              testing::UnitTest::GetInstance()->total_test_count(), missing.what.c_str(),
              missing.next.c_str());
  return 1;
}

// No test has the name that the filter asks for.
int FailForName(const testing::UnitTest& program) {
  std::printf(
      "error: no test has the name '%s'\n  next: write SUITE.TEST or 'SUITE.*'; suites: %s\n",
      GTEST_FLAG_GET(filter).c_str(), SuitesOf(program).c_str());
  return 1;
}

// Part of the tests do not make a pass.
int FailForPart(const testing::UnitTest& program, int left_out) {
  std::printf(
      "error: filtered run: %d of %d tests did not run, so it does not count as passed\n"
      "  next: %s\n",
      left_out, program.total_test_count(), WhatLeftThemOut().c_str());
  return 1;
}

// Prints what the grader refuses in the student's file: //common/lab/refusals wrote
// it, a line each. Returns whether there is anything.
bool IsRefused() {
  const char* path = std::getenv("LAB_REFUSALS");
  if (path == nullptr) return false;
  std::ifstream file(path);
  if (!file) {
    std::printf("error: cannot read %s\n  next: run the test with bazel test\n", path);
    return true;
  }
  int problems = 0;
  for (std::string line; std::getline(file, line); ++problems) std::printf("%s\n", line.c_str());
  if (problems == 0) return false;
  std::printf(
      "error: the grader refuses the file, with no points for any part; problems: %d, limit 0\n"
      "  next: change what the lines above name, then test again\n",
      problems);
  return true;
}

// The exit code of a run that GoogleTest ended with `code`.
int Judge(int code) {
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  const bool any_name = GTEST_FLAG_GET(filter) == "*";
  if (!any_name && program.test_to_run_count() == 0) return FailForName(program);
  if (const int left_out = TestsLeftOut(program); left_out > 0) {
    return FailForPart(program, left_out);
  }
  if (program.successful_test_count() + program.failed_test_count() == 0) {
    return FailForNothingRun(program);
  }
  // A test that catches every exception passes with a stub.
  return NotWrittenLog::Global().calls() > 0 ? 1 : code;
}

int Run(const char* program, Progress& progress) {
  // Without a guard no verdict is asked for, so a list of the tests is not a failure.
  if (GTEST_FLAG_GET(list_tests) && !progress.shared()) return RUN_ALL_TESTS();
  if (const std::optional<Requirement::Missing> missing = Requirement::FirstMissing()) {
    return FailForMissing(*missing);
  }
  // By this seed the CUDA simulator switches threads, so the replay takes the same schedule.
  setenv("CUDASIM_SCHEDULE", std::to_string(Seed() % (1ull << 32) + 1).c_str(), 0);
#ifdef LAB_HAS_THREAD_SANITIZER
  KeepPauses(testing::UnitTest::GetInstance()->listeners());
#endif
  const std::string replay = ReplayCommand(program, Seed());
  progress.SetReplayCommand(replay);
  TestPrinter::Install(stdout, replay);
  testing::UnitTest::GetInstance()->listeners().Append(new ProgressListener(progress));
  const int code = Judge(RUN_ALL_TESTS());
  return IsRefused() && code == 0 ? 1 : code;
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
  lab::Progress progress = lab::Progress::OfEnvironment();
  testing::InitGoogleTest(&argc, argv);
  int code = 2;
  try {
    code = lab::Run(argv[0], progress);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  std::fflush(stdout);
  progress.Finish(code);
  return code;
}
