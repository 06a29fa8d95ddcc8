#include <unistd.h>

#include <string>
#include <vector>

#include "grader/sandbox/checker/exception_words.h"
#include "grader/sandbox/checker/options.h"
#include "grader/sandbox/checker/output.h"
#include "grader/sandbox/checker/printable.h"
#include "grader/sandbox/checker/used_time.h"
#include "grader/sandbox/command_line/command_line.h"
#include "gtest/gtest.h"

namespace grader::checker {
namespace {

Options Parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"--worker=/w",      "--student=/s",    "--output=/o",
                                    "--call-seconds=1", "--run-seconds=2", "--pids=3",
                                    "--file-mb=4",      "--tmp-mb=5",      "--stack-mb=6",
                                    "--output-kb=7",    "--team=4",        "--memory-mb=8"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return ParseOptions(words);
}

TEST(OptionsTest, RequiresEveryLimit) {
  EXPECT_EQ(Parse({}).stack_mb, 6);
  EXPECT_EQ(Parse({"--stack-mb=9"}).stack_mb, 9);  // the last one counts
  EXPECT_THROW(ParseOptions({"--worker=/w", "--student=/s", "--output=/o"}), UsageError);
}

TEST(OptionsTest, ReadsThresholdsOfATimingSuite) {
  const Options options =
      Parse({"--mode=timing", "--reference=/r", "--timing=SumTiming:1.5:4:2.5:0.99"});
  ASSERT_EQ(options.timing.size(), 1u);
  EXPECT_EQ(options.timing[0].suite, "SumTiming");
  EXPECT_EQ(options.timing[0].rule.full, 1.5);
  EXPECT_EQ(options.timing[0].rule.zero, 4);
  EXPECT_EQ(options.timing[0].rule.budget_seconds, 2.5);
  EXPECT_EQ(options.timing[0].rule.confidence, 0.99);
}

TEST(OptionsTest, TimesASuiteThatIsNamedForItsParallelismAlone) {
  const Options options = Parse(
      {"--mode=timing", "--reference=/r", "--parallelism=SumTiming:2.2:1.5:3:0.95", "--team=2"});
  EXPECT_TRUE(options.timing.empty());
  ASSERT_EQ(options.parallelism.size(), 1u);
  EXPECT_EQ(options.parallelism[0].rule.full, 2.2);
  EXPECT_EQ(options.parallelism[0].rule.zero, 1.5);
  EXPECT_EQ(options.team, 2);
  EXPECT_EQ(SelectedSuites(options), std::vector<std::string>{"SumTiming"});
}

TEST(OptionsTest, EnvironmentMayHoldEqualsSigns) {
  const Options options = Parse({"--env=TSAN_OPTIONS=a=1 b=2", "--env=EMPTY="});
  EXPECT_EQ(options.env[0].second, "a=1 b=2");
  EXPECT_EQ(options.env[1].second, "");
}

TEST(OptionsTest, RefusesInvalidOptions) {
  for (const char* const wrong :
       {"--call-seconds=0", "--call-seconds=x", "--pids=-1", "--mode=quick", "--env=NAME",
        "--env==x", "--timing=S:4:2:1:0.95", "--timing=S:1:2:3", "--timing=S:1:2:3:1",
        "--parallelism=S:1:2:3:0.95", "--parallelism=S:2:1:3:0.95:4", "--timing=S:1:nan:3:0.95",
        "--team=1", "--unknown", "--mode=timing", "stray"}) {
    EXPECT_THROW(Parse({wrong}), UsageError) << wrong;
  }
}

TEST(OptionsTest, FilterNamesPlainTypedAndParameterizedSuites) {
  EXPECT_EQ(FilterFor({"A", "B"}), "A.*:A/*.*:*/A.*:*/A/*.*:B.*:B/*.*:*/B.*:*/B/*.*");
  EXPECT_EQ(FilterFor({}), "*");
}

TEST(SpendingTest, IsOverWhenCallsAndTheTimeBetweenThemExceedTheLimit) {
  UsedTime used_time(3);
  used_time.AddCall(1.5);
  used_time.AddBetweenCalls(1.5);
  EXPECT_FALSE(used_time.IsOver());
  used_time.AddBetweenCalls(0.1);
  EXPECT_TRUE(used_time.IsOver());
}

TEST(BudgetClockTest, ExcludesTheProgramsTimeBetweenCalls) {
  UsedTime used_time(100);
  used_time.AddBetweenCalls(7);
  const BudgetClock clock(used_time);
  used_time.AddBetweenCalls(20);
  used_time.AddCall(5);  // within the time that the clock sees
  EXPECT_GE(clock.Seconds(), -20);
  EXPECT_LT(clock.Seconds(), -15);
}

TEST(PrintableTest, KeepsTextOfAllLanguages) {
  const std::string text = "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x99\x82\n\ttab";
  EXPECT_EQ(Printable(text), text);
}

TEST(PrintableTest, ReplacesBytesThatAreNotText) {
  EXPECT_EQ(Printable(std::string("a\0b\x1b[31m\x7f", 9)), "a?b?[31m?");
  EXPECT_EQ(Printable("\xff\xc3"), "??");            // never starts a character; cut short
  EXPECT_EQ(Printable("\xc0\xaf"), "??");            // overlong
  EXPECT_EQ(Printable("\xed\xa0\x80"), "???");       // half of a surrogate pair
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "????");  // beyond the last character
  EXPECT_EQ(Printable("\xe2\x82"
                      "A"),
            "??A");  // interrupted
}

TEST(PrintableTest, OneLineHasNoNewlines) { EXPECT_EQ(OneLine("a\nb\n"), "a b "); }

TEST(OutputTest, KeepsTheEndOfStderrAndCountsBothStreams) {
  Output output(1 << 20);
  const std::string first(Output::kTailBytes / 2, 'a');  // as much as a pipe takes, at most
  const std::string second(Output::kTailBytes / 2, 'b');
  for (const std::string& text : {first, second, second}) {
    ASSERT_EQ(write(output.stderr_writer(), text.data(), text.size()), text.size());
    output.Drain();
  }
  ASSERT_EQ(write(output.stdout_writer(), "secret", 6), 6);
  output.Drain();
  EXPECT_EQ(output.ErrorTail(), second + second);
  EXPECT_FALSE(output.over_limit());
}

TEST(OutputTest, ExactlyTheLimitIsAllowedAndOneByteMoreIsNot) {
  Output output(6);
  ASSERT_EQ(write(output.stdout_writer(), "123456", 6), 6);
  output.Drain();
  EXPECT_FALSE(output.over_limit());
  ASSERT_EQ(write(output.stderr_writer(), "7", 1), 1);
  output.Drain();
  EXPECT_TRUE(output.over_limit());
}

TEST(OutputTest, StreamThatEndedIsNoLongerWaitedFor) {
  Output output(6);
  output.CloseWriters();
  output.Drain();
  for (const pollfd& stream : output.PollSet()) EXPECT_EQ(stream.fd, -1);
}

}  // namespace
TEST(ExceptionWordsTest, PassOnKnownSentencesOfTheStandardLibrary) {
  EXPECT_EQ(ExceptionWords("vector::reserve"), ": vector::reserve");
}

TEST(ExceptionWordsTest, TellLineAndErrorOfAFailedCudaCallInTheirOwnWords) {
  EXPECT_EQ(ExceptionWords("error: CUDA call failed: scan.cu:12: cudaMalloc(&p, 17): 3 1 4 "
                           "(cudaErrorMemoryAllocation)"),
            ": the CUDA call in line 12 failed: out of memory (cudaErrorMemoryAllocation)");
}

TEST(ExceptionWordsTest, PassOnNothingElseAsItMayHoldInputs) {
  for (const char* const text :
       {"", "3 1 4 1 5", "vector::reserve 3 1 4", "bad_weak_ptr\n3", "std::bad_cast ",
        "error: CUDA call failed: a.cu:1: f(): x (cudaErrorOfMyInputs314)",
        "error: CUDA call failed: a.cu:123456: f(): x (cudaErrorMemoryAllocation)",
        "error: CUDA call failed: a.cu:1: f(): x (cudaErrorMemoryAllocation) 3 1 4"}) {
    EXPECT_EQ(ExceptionWords(text), "; its text is not passed on: it may hold inputs of the test")
        << text;
  }
}

}  // namespace grader::checker
