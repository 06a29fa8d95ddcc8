// Proves what the user of a lab's test reads and what its exit code is, for right and wrong files
// and for files that try to end or to empty the test: whole programs, under the guard.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <regex>
#include <string>

namespace {

const std::string kLab = "common/lab/tests/misbehaving_lab";
const std::string kLabWithoutTests = "common/lab/tests/lab_without_tests";
const std::string kGuard = "common/lab/test_program/guard ";
// None of Bazel's own settings of this test; and signals that a sanitizer leaves alone.
const std::string kClean =
    "env -i PATH=\"$PATH\" ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0 "
    "TSAN_OPTIONS=handle_segv=0:handle_abort=0 UBSAN_OPTIONS=handle_segv=0:handle_abort=0 ";

struct Outcome {
  int exit_code;
  std::string output;  // stdout, without what differs from run to run
};

std::string Replaced(const std::string& text, const char* pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

Outcome RunCommand(const std::string& command) {
  std::FILE* pipe = popen(("exec 2>/dev/null; " + kClean + command).c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot start"};
  std::string output;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    output.append(buffer, n);
  }
  const int status = pclose(pipe);
  // Newer versions of GoogleTest say this themselves, before ours.
  output = Replaced(output, "(This test program does NOT link|WARNING: filter )[^\n]*\n", "");
  output = Replaced(output, R"(\(\d+\.\d s\))", "(TIME)");
  output = Replaced(output, R"(LAB_SEED=\d{3,})", "LAB_SEED=FRESH");
  output = Replaced(output, R"(\.cc:\d+:)", ".cc:LINE:");
  output = Replaced(output, R"(\(line \d+\))", "(line LINE)");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output};
}

// The misbehaving lab's test, under the guard.
Outcome RunLab(const std::string& behaviour, const std::string& settings = "",
               const std::string& flags = "") {
  return RunCommand("LAB_GTEST=1 LAB_MISBEHAVIOUR='" + behaviour + "' " + settings + " " + kGuard +
                    kLab + " " + flags);
}

constexpr char kWrongPrefix[] = R"(FAIL PrefixTest.AddsUpToEveryElement
  common/lab/tests/misbehaving_lab_test.cc:LINE: element 0 of 1: expected 8, got -1515870811 (never written)
    common/lab/tests/misbehaving_lab_test.cc:LINE: n = 1
  common/lab/tests/misbehaving_lab_test.cc:LINE: element 1 of 2: expected 9, got -1515870811 (never written)
    common/lab/tests/misbehaving_lab_test.cc:LINE: n = 2
  common/lab/tests/misbehaving_lab_test.cc:LINE: element 2 of 3: expected 10, got -1515870811 (never written)
    common/lab/tests/misbehaving_lab_test.cc:LINE: n = 3
  and 7 more failures
)";
constexpr char kReplay[] =
    "  next: the same inputs again: LAB_SEED=FRESH common/lab/tests/misbehaving_lab\n";
constexpr char kDebugger[] =
    "  next: a debugger shows the line: gdb --args common/lab/tests/misbehaving_lab\n";

struct Case {
  const char* name;
  const char* behaviour;
  int exit_code;
  std::string output;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.behaviour; }

class MisbehavingLabTest : public testing::TestWithParam<Case> {};

TEST_P(MisbehavingLabTest, EndsWithTheTextAndCodeForItsBehaviour) {
  const Outcome outcome = RunLab(GetParam().behaviour);
  EXPECT_EQ(outcome.output, GetParam().output);
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code);
}

const Case kTexts[] = {
    {"Right", "", 0, "3 tests passed (TIME)\n"},
    {"Stub", "stub", 1,
     "common/lab/tests/misbehaving_lab.cc: Sum (line LINE) and Prefix (line LINE) are not written "
     "yet: replace LAB_NOT_WRITTEN() and run the test again\n"},
    {"HalfAStub", "half a stub", 1,
     "common/lab/tests/misbehaving_lab.cc: Sum (line LINE) is not written yet: replace "
     "LAB_NOT_WRITTEN() and run the test again (1 test passes)\n"},
    {"Wrong", "wrong", 1, kWrongPrefix + std::string("1 test failed, 2 passed (TIME)\n") + kReplay},
    {"StubAndWrong", "stub and wrong", 1,
     kWrongPrefix +
         std::string("common/lab/tests/misbehaving_lab.cc: Sum (line LINE) is not written yet: "
                     "replace LAB_NOT_WRITTEN() and run the test again\n"
                     "1 test failed, 0 passed, 2 wait for a function that is not written yet "
                     "(TIME)\n") +
         kReplay},
    {"Exception", "exception", 1,
     std::string("FAIL SumTest.AddsThreeNumbers\n"
                 "  C++ exception with description \"queue is empty\" thrown in the test body.\n"
                 "1 test failed, 2 passed (TIME)\n") +
         kReplay},
};

const Case kEndings[] = {
    {"ExitZero", "exit(0)", 1,
     std::string("error: the program ended in SumTest.AddsThreeNumbers: exit code 0\n"
                 "  next: return from the function: a lab's file never calls exit()\n") +
         kReplay},
    {"QuickExit", "quick_exit", 1,
     std::string("error: the program ended in SumTest.AddsThreeNumbers: exit code 0\n"
                 "  next: return from the function: a lab's file never calls exit()\n") +
         kReplay},
    {"ExitThree", "exit(3)", 3,
     std::string("error: the program ended in SumTest.AddsThreeNumbers: exit code 3\n"
                 "  next: read the report above; if there is none, look for a call of exit()\n") +
         kReplay},
    {"FindingOfTheSimulator", "exit(67)", 67,
     std::string("error: the program ended in SumTest.AddsThreeNumbers: exit code 67\n"
                 "  next: read the report above: with this code the CUDA simulator ends a program "
                 "in which it has found an error\n") +
         kReplay},
    {"ExitInAConstructor", "exit in a constructor", 1,
     "error: the program ended before the first test: exit code 0\n"
     "  next: return from the function: a lab's file never calls exit()\n"},
    {"ExitInADestructor", "wrong and exit in a destructor", 1,
     kWrongPrefix + std::string("1 test failed, 2 passed (TIME)\n") + kReplay +
         "error: exit code 0 after the last test, limit 1\n"
         "  next: remove what calls exit() when the program ends\n"},
    {"NullPointer", "null pointer", 139,
     std::string("error: crash in SumTest.AddsThreeNumbers: Segmentation fault, signal 11\n") +
         kDebugger + kReplay},
    {"ExceptionInAThread", "exception in a thread", 134,
     std::string("error: crash in SumTest.AddsThreeNumbers: Aborted, signal 6\n") + kDebugger +
         kReplay},
    {"CrashInADestructor", "crash in a destructor", 134,
     std::string("3 tests passed (TIME)\nerror: crash after the last test: Aborted, signal 6\n") +
         kDebugger},
    {"Killed", "out of memory", 137,
     std::string("error: killed in SumTest.AddsThreeNumbers: Killed, signal 9\n"
                 "  next: look for memory that grows without bound: the system kills a program "
                 "that uses it all\n") +
         kReplay},
};

const Case kEmptied[] = {
    {"FilterInAConstructor", "filter in a constructor", 1,
     "error: no test has the name '-*'\n"
     "  next: write SUITE.TEST or 'SUITE.*'; suites: SumTest, PrefixTest\n"},
    {"ShardsInAConstructor", "shards in a constructor", 1,
     "error: filtered run: 3 of 3 tests did not run, so it does not count as passed\n"
     "  next: leave out shards, --gtest_repeat and --gtest_list_tests\n"},
    {"NoRepetitionInAConstructor", "no repetition in a constructor", 1,
     "error: filtered run: 3 of 3 tests did not run, so it does not count as passed\n"
     "  next: leave out shards, --gtest_repeat and --gtest_list_tests\n"},
};

std::string NameOf(const testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Texts, MisbehavingLabTest, testing::ValuesIn(kTexts), NameOf);
INSTANTIATE_TEST_SUITE_P(Endings, MisbehavingLabTest, testing::ValuesIn(kEndings), NameOf);
INSTANTIATE_TEST_SUITE_P(Emptied, MisbehavingLabTest, testing::ValuesIn(kEmptied), NameOf);

TEST(FilteredRunTest, NamesTheSuitesWhereNoTestHasTheName) {
  const Outcome outcome = RunLab("", "TESTBRIDGE_TEST_ONLY='Prefix.*'");
  EXPECT_EQ(outcome.output,
            "error: no test has the name 'Prefix.*'\n"
            "  next: write SUITE.TEST or 'SUITE.*'; suites: SumTest, PrefixTest\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST(FilteredRunTest, RunsThePartAndFailsForTheRest) {
  const std::string left_out =
      "1 test passed (TIME)\n"
      "error: filtered run: 2 of 3 tests did not run, so it does not count as passed\n"
      "  next: leave out ";
  const Outcome by_flag = RunLab("", "", "--gtest_filter='Prefix*'");
  EXPECT_EQ(by_flag.output, left_out + "the filter\n");
  EXPECT_EQ(by_flag.exit_code, 1);
  const Outcome by_bazel = RunLab("", "TESTBRIDGE_TEST_ONLY='Prefix*'");
  EXPECT_EQ(by_bazel.output, left_out + "bazel's --test_filter\n");
  EXPECT_EQ(by_bazel.exit_code, 1);
}

TEST(RequirementTest, FailsAProgramThatCannotRunItsTestsHere) {
  const Outcome outcome = RunLab("no device");
  EXPECT_EQ(outcome.output, "SKIPPED all 3 tests: no device\n  next: connect one\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST(FilteredRunTest, ListsWithoutAVerdictOnlyForAPerson) {
  EXPECT_EQ(RunLab("", "", "--gtest_list_tests").exit_code, 1);
  const Outcome by_hand = RunCommand(kLab + " --gtest_list_tests");
  EXPECT_EQ(by_hand.exit_code, 0);
  EXPECT_NE(by_hand.output.find("AddsThreeNumbers"), std::string::npos);
}

// A run that finds this in the file of //common/lab/refusals.
Outcome RunRefused(const std::string& behaviour, const std::string& problems) {
  const std::string path = testing::TempDir() + "/problems";
  std::ofstream(path) << problems;
  return RunLab(behaviour, "LAB_REFUSALS=" + path);
}

constexpr char kRefusedTwice[] =
    "sum.cc:LINE: a is not allowed\nsum.cc:LINE: b is not allowed\n"
    "error: the grader refuses the file, with no points for any part; problems: 2, limit 0\n"
    "  next: change what the lines above name, then test again\n";

TEST(RefusalsTest, FailsARightFileThatTheGraderRefuses) {
  const Outcome outcome =
      RunRefused("", "sum.cc:1: a is not allowed\nsum.cc:2: b is not allowed\n");
  EXPECT_EQ(outcome.output, std::string("3 tests passed (TIME)\n") + kRefusedTwice);
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST(RefusalsTest, ChangesNothingWhereThereIsNoProblem) {
  const Outcome outcome = RunRefused("", "");
  EXPECT_EQ(outcome.output, "3 tests passed (TIME)\n");
  EXPECT_EQ(outcome.exit_code, 0);
}

TEST(RefusalsTest, FailsWithoutTheFileOfProblems) {
  EXPECT_EQ(RunLab("", "LAB_REFUSALS=/no/such/file").exit_code, 1);
}

TEST(SeedTest, IsTakenFromTheEnvironment) {
  const Outcome outcome = RunLab("wrong", "LAB_SEED=77");
  EXPECT_NE(outcome.output.find("LAB_SEED=77 common"), std::string::npos) << outcome.output;
}

TEST(SeedTest, IsRefusedWhenItIsNoNumber) {
  for (const char* seed : {"abc", "-1", "7x", "99999999999999999999"}) {
    const Outcome outcome = RunLab("", "LAB_SEED=" + std::string(seed));
    EXPECT_EQ(outcome.output,
              "error: LAB_SEED: '" + std::string(seed) +
                  "', limit a whole number below 2^64\n"
                  "  next: copy the seed from the failing run, or unset LAB_SEED\n");
    EXPECT_EQ(outcome.exit_code, 2);
  }
}

TEST(GuardTest, SaysWhichTestRanWhenTheTimeWasUp) {
  const Outcome outcome =
      RunCommand("LAB_GTEST=1 TEST_TARGET=//labs/sum LAB_MISBEHAVIOUR='endless loop' timeout 0.5 " +
                 kGuard + kLab);
  EXPECT_EQ(
      outcome.output,
      "error: time limit in SumTest.AddsThreeNumbers\n"
      "  next: look for an endless loop, a lock that is not released, a thread that waits for an "
      "event that never comes: a missing unlock, notify or post\n"
      "  next: this test alone, for at most 10 seconds: bazel test //labs/sum "
      "--test_filter=SumTest.AddsThreeNumbers --test_timeout=10\n"
      "  next: the same inputs again: bazel test //labs/sum --test_env=LAB_SEED=FRESH\n");
  EXPECT_NE(outcome.exit_code, 0);
}

// A program that ends so, and before it writes a report to this file: by default as
// ThreadSanitizer does.
Outcome RunReported(const std::string& report, const std::string& end = "exit 66",
                    const std::string& file = "$TEST_TMPDIR/race.7") {
  const std::string program = testing::TempDir() + "/racy_program";
  std::ofstream(program) << "#!/bin/sh\ncat > \"" << file << "\" <<'E'\n"
                         << report << "E\n"
                         << end << "\n";
  const std::string folder = testing::TempDir() + "/race_logs";
  return RunCommand(
      "sh -c 'rm -rf " + folder + "; mkdir " + folder +
      "; PYTHONSAFEPATH=1 LAB_GTEST=1 TEST_TARGET=//labs/sum TSAN_OPTIONS=exitcode=66 "
      "TEST_TMPDIR=" +
      folder + " " + kGuard + "sh " + program + "'");
}

TEST(GuardTest, ShowsADataRaceInTheStudentsLines) {
  const Outcome outcome = RunReported(
      "WARNING: ThreadSanitizer: data race (pid=18)\n"
      "  Write of size 8 at 0x7ffe by thread T1 (mutexes: write M0):\n"
      "    #0 Sum(int) labs/sum/sum.cc:18:15 (sum_test+0x10) (BuildId: 64)\n"
      "    #1 main common/lab/test_program/in_process_main.cc:12:1 (sum_test+0x20)\n\n"
      "  Previous read of size 8 at 0x7ffe by main thread:\n"
      "    #0 Sum(int) labs/sum/sum.cc:20:15 (sum_test+0x30)\n\n"
      "SUMMARY: ThreadSanitizer: data race labs/sum/sum.cc:18:15 in Sum(int)\n");
  EXPECT_EQ(outcome.output,
            "data race: the write at sum.cc:18 races with the read of another thread at sum.cc:20\n"
            "ThreadSanitizer: data race\n"
            "  Write by thread T1, holding M0\n"
            "    Sum(int) at sum.cc:18\n"
            "  Previous read by main thread, holding no lock\n"
            "    Sum(int) at sum.cc:20\n"
            "  next: the whole report: bazel test --config=tsan --test_env=LAB_WHOLE_REPORT=1 "
            "//labs/sum\n"
            "error: the program ended before the first test: exit code 66\n"
            "  next: read the report above\n");
  EXPECT_EQ(outcome.exit_code, 66);
}

TEST(GuardTest, ShowsWherePausesTellWhyATestFailed) {
  const std::string signal = "WARNING: lost signal\n    #0 Close() labs/sum/sum.cc:7:3 ()\n";
  const std::string update =
      "WARNING: changed before a store\n    #0 Sum() labs/sum/sum.cc:3:1 ()\n"
      "  and\n    #0 Sum() labs/sum/sum.cc:4:1 ()\n";
  const auto run = [&](const std::string& end) {
    return RunReported(signal + update, end, "$LAB_PAUSES").output;
  };
  EXPECT_TRUE(run("exit 1").starts_with("between the atomic read at sum.cc:3 and the write at "));
  EXPECT_TRUE(run("kill $PPID; sleep 9").starts_with("the signal at sum.cc:7 was lost: "));
  EXPECT_TRUE(run("kill -9 $$").starts_with("error: killed"));
  EXPECT_TRUE(run("exit 0").starts_with("error: the program ended"));
}

// With --config=tsan.
TEST(GuardTest, NamesTheLinesBetweenWhichAnotherThreadCame) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  const std::string folder = testing::TempDir() + "/pauses_test";
  std::filesystem::create_directory(folder);
  const std::string settings =
      "TSAN_OPTIONS=strip_path_prefix=/proc/self/cwd/ TEST_TMPDIR=" + folder;
  EXPECT_EQ(RunLab("", settings).output, "3 tests passed (TIME)\n");
  const std::string output = RunLab("lost update", settings).output;
  EXPECT_NE(output.find("between the atomic read at sum.cc:8 and the write at sum.cc:9 another"),
            std::string::npos)
      << output;
  return;
#endif
#endif
  GTEST_SKIP() << "not built with ThreadSanitizer";
}

TEST(GuardTest, ShowsAReportWithoutALineOfTheStudentAsItIs) {
  const std::string report =
      "WARNING: ThreadSanitizer: data race (pid=18)\n"
      "  Write of size 8 at 0x7ffe by thread T1:\n"
      "    #0 <null> <null> (libstdc++.so.6+0x10)\n";
  EXPECT_EQ(RunReported(report).output.substr(0, report.size()), report);
}

TEST(GuardTest, FailsAProgramWithoutTests) {
  const Outcome outcome = RunCommand("LAB_GTEST=1 " + kGuard + kLabWithoutTests);
  EXPECT_EQ(outcome.output,
            "error: no test ran: 0 of 0 skipped, 0 disabled, limit at least one\n"
            "  next: link a test into the program, or see why all were skipped\n");
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST(GuardTest, FailsAProgramThatIsNoTest) {
  EXPECT_EQ(RunCommand("LAB_GTEST=1 " + kGuard + "true").exit_code, 1);
}

TEST(GuardTest, LeavesOtherProgramsAlone) {
  const Outcome outcome = RunCommand(kGuard + "sh -c 'echo hello; exit 5'");
  EXPECT_EQ(outcome.output, "hello\n");
  EXPECT_EQ(outcome.exit_code, 5);
}

TEST(GuardTest, SaysThatItCannotRunAProgram) {
  EXPECT_EQ(RunCommand(kGuard + "./no/such/program").exit_code, 126);
  EXPECT_EQ(RunCommand("LAB_GTEST=1 " + kGuard + "./no/such/program").exit_code, 126);
  EXPECT_EQ(RunCommand(kGuard).exit_code, 2);
}

// The library of the test's main() is linked whole, so this cannot bypass the tests.
TEST(InProcessLibraryTest, MakesAMainOfTheStudentsOwnAnErrorOfTheLinker) {
  const Outcome outcome =
      RunCommand("sh -c 'echo \"int main() {}\" | g++ -x c++ - -x none -o " + testing::TempDir() +
                 "/own_main -Wl,--whole-archive common/lab/test_program/libin_process_main.lo "
                 "-Wl,--no-whole-archive 2>&1 | "
                 "grep -c \"multiple definition of .main\"'");
  EXPECT_EQ(outcome.output, "1\n");
}

TEST(FailurePageTest, LiesBesideTheLogOfATestThatFailsAndNotOfOneThatPasses) {
  const std::string folder = testing::TempDir() + "/it's one";
  std::filesystem::create_directories(folder);
  const std::string quoted = "\"" + folder + "\"";
  const std::string settings =
      "TEST_TMPDIR=" + quoted + " XML_OUTPUT_FILE=" + quoted + "/test.xml ";
  const std::string page = folder + "/failure.html";
  const std::string said = RunLab("wrong", settings).output;
  EXPECT_TRUE(std::regex_search(said, std::regex("  next: see it as a picture: .*/failure.html\n")))
      << said;
  std::ifstream file(page);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("<h2>PrefixTest.AddsUpToEveryElement</h2>"), std::string::npos);
  EXPECT_NE(text.find("data-strip=\"1\""), std::string::npos);
  EXPECT_EQ(RunLab("", settings).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(page));
}

}  // namespace
