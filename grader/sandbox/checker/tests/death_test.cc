#include "grader/sandbox/checker/death.h"

#include <signal.h>

#include <array>
#include <string>

#include "gtest/gtest.h"

namespace grader::checker {
namespace {

// A call of Histogram(text[100], bins[26]) with 1- and 4-byte elements, and a scalar.
class DeathTest : public testing::Test {
 protected:
  DeathTest() {
    death_.where = "inside Histogram";
    death_.call = &call_;
  }

  Failure ExplainExit(int code) {
    death_.status = ExitStatus{code, 0};
    return Explain(death_);
  }
  Failure ExplainFault(int argument, std::int64_t byte_offset, wire::Access access) {
    death_.status = ExitStatus{0, SIGSEGV};
    death_.fault = wire::Fault{SIGSEGV, argument, byte_offset, access, 0};
    return Explain(death_);
  }

  std::array<lab::Argument, 3> arguments_{{{lab::Argument::Kind::kInput, 1, 1, nullptr, 100},
                                           {lab::Argument::Kind::kInOut, 4, 4, nullptr, 26},
                                           {lab::Argument::Kind::kScalar, 4, 4, nullptr, 1}}};
  lab::Call call_{"Histogram", 0, arguments_, nullptr, 0};
  Death death_;
};

void Expect(const Failure& failure, Verdict verdict, const std::string& what) {
  EXPECT_EQ(failure.verdict(), verdict);
  EXPECT_EQ(failure.what(), what);
}

TEST_F(DeathTest, ExitIsARuntimeErrorThatSaysWhere) {
  Expect(ExplainExit(0), Verdict::kRuntimeError, "the program called exit(0) inside Histogram");
}

TEST_F(DeathTest, SignalIsNamed) {
  death_.status = ExitStatus{0, SIGFPE};
  Expect(Explain(death_), Verdict::kRuntimeError, "the program died of SIGFPE inside Histogram");
}

TEST_F(DeathTest, TerminateSaysThatAThreadWasNotJoined) {
  death_.status = ExitStatus{0, SIGABRT};
  const std::string died = "the program died of SIGABRT inside Histogram";
  const std::array<std::pair<const char*, const char*>, 3> said{
      {{"terminate called without an active exception\n",
        ": a std::thread was destroyed without join() or detach()"},
       {"terminate called after throwing an instance of 'int'\n",
        ": an exception escaped from a thread, a destructor or a noexcept function"},
       {"", ""}}};
  for (const auto& [output, reason] : said) {
    death_.error_output = output;
    EXPECT_EQ(Explain(death_).what(), died + reason);
  }
}

TEST_F(DeathTest, SigkillIsToldApartAsItMayComeFromOutside) {
  death_.status = ExitStatus{0, SIGKILL};
  Expect(Explain(death_), Verdict::kKilled, "the program died of SIGKILL inside Histogram");
}

TEST_F(DeathTest, UnreportedFaultMayBeAStackOverflow) {
  death_.status = ExitStatus{0, SIGSEGV};
  Expect(Explain(death_), Verdict::kRuntimeError,
         "the program died of SIGSEGV inside Histogram: the stack of a thread may have "
         "overflowed: endless recursion, or large local arrays");
}

TEST_F(DeathTest, MemoryLimitOutranksTheSignalThatEnforcesIt) {
  death_.status = ExitStatus{0, SIGKILL};
  death_.out_of_memory = true;
  death_.memory_mb = 256;
  const Failure failure = Explain(death_);
  EXPECT_EQ(failure.verdict(), Verdict::kMemoryLimit);
  EXPECT_NE(std::string(failure.what()).find("256 MiB"), std::string::npos);
}

TEST_F(DeathTest, WritePastTheEndNamesElementArgumentAndSize) {
  Expect(ExplainFault(1, 104, wire::Access::kWrite), Verdict::kOutOfBounds,
         "Histogram (spans of 100, 26 elements) wrote element 26 of argument 2, which has 26 "
         "elements");
}

TEST_F(DeathTest, AccessBeforeTheStartHasANegativeElement) {
  const std::string detail = ExplainFault(1, -1, wire::Access::kRead).what();
  EXPECT_NE(detail.find("read element -1 of argument 2"), std::string::npos) << detail;
  const std::string earlier = ExplainFault(1, -8, wire::Access::kRead).what();
  EXPECT_NE(earlier.find("read element -2 of argument 2"), std::string::npos) << earlier;
}

TEST_F(DeathTest, WriteToAnInputIsARuntimeErrorOfItsOwn) {
  const Failure failure = ExplainFault(0, 5, wire::Access::kWrite);
  EXPECT_EQ(failure.verdict(), Verdict::kRuntimeError);
  EXPECT_NE(std::string(failure.what()).find("is an input"), std::string::npos);
}

TEST_F(DeathTest, FaultThatMakesNoSenseIsOnlyASignal) {
  for (const int argument : {-1, 2, 3, 1 << 30}) {
    const Failure failure = ExplainFault(argument, 0, wire::Access::kWrite);
    EXPECT_EQ(failure.verdict(), Verdict::kRuntimeError) << argument;
    EXPECT_STREQ(failure.what(), "the program died of SIGSEGV inside Histogram");
  }
}

TEST_F(DeathTest, RaceReportInTheRacesRunIsADataRace) {
  death_.mode = Mode::kRaces;
  death_.error_output = "WARNING: ThreadSanitizer: data race (pid=2)\n  Write of size 4\n";
  Expect(ExplainExit(66), Verdict::kDataRace, "data race");
}

TEST_F(DeathTest, OtherFindingsOfTheRaceCheckerAreNotDataRaces) {
  death_.mode = Mode::kRaces;
  death_.error_output = "WARNING: ThreadSanitizer: unlock of an unlocked mutex (pid=2)\n";
  EXPECT_EQ(ExplainExit(66).verdict(), Verdict::kRuntimeError);
}

TEST_F(DeathTest, LocksTakenInBothOrdersAreADeadlock) {
  death_.mode = Mode::kRaces;
  death_.error_output =
      "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=2)\n";
  Expect(ExplainExit(66), Verdict::kDeadlock, "locks are taken in both orders");
}

TEST_F(DeathTest, MemoryCheckersReportGivesItsKind) {
  death_.mode = Mode::kRaces;
  const std::array<std::pair<const char*, Verdict>, 5> reports{
      {{"==1==ERROR: AddressSanitizer: heap-buffer-overflow on address", Verdict::kOutOfBounds},
       {"==1==ERROR: AddressSanitizer: stack-use-after-return on", Verdict::kOutOfBounds},
       {"==1==ERROR: AddressSanitizer: attempting double-free on 0x1", Verdict::kRuntimeError},
       {"/submission/sum.cc:9:3: runtime error: index 4 out of bounds", Verdict::kOutOfBounds},
       {"/submission/sum.cc:9:3: runtime error: execution reached the end of a value-returning",
        Verdict::kRuntimeError}}};
  for (const auto& [report, verdict] : reports) {
    death_.error_output = std::string(report) + " 17, the first input\n";
    const Failure failure = ExplainExit(66);
    EXPECT_EQ(failure.verdict(), verdict) << report;
    EXPECT_EQ(std::string(failure.what()).find("17"), std::string::npos) << failure.what();
  }
}

TEST_F(DeathTest, FaultThatTheMemoryCheckerReportsTooIsStillAnElementOfASpan) {
  death_.mode = Mode::kRaces;
  death_.status = ExitStatus{66, 0};
  death_.error_output = "==1==ERROR: AddressSanitizer: SEGV on unknown address\n";
  death_.fault = wire::Fault{};
  death_.fault->signal = SIGSEGV;
  death_.fault->argument = -1;
  EXPECT_STREQ(Explain(death_).what(), "the program died of SIGSEGV inside Histogram");
}

TEST_F(DeathTest, ExitCodeOfTheRaceCheckerWithoutAReportIsAnExit) {
  death_.mode = Mode::kRaces;
  EXPECT_STREQ(ExplainExit(66).what(), "the program called exit(66) inside Histogram");
}

TEST_F(DeathTest, ExitLikeTheSimulatorsIsMarkedForItsFinding) {
  Expect(ExplainExit(67), Verdict::kRuntimeError,
         "cudasim: the program called exit(67) inside Histogram");
}

TEST_F(DeathTest, TooLargeAFileIsAnOutputLimit) {
  death_.status = ExitStatus{0, SIGXFSZ};
  EXPECT_EQ(Explain(death_).verdict(), Verdict::kOutputLimit);
}

TEST(DescribeTest, LeavesOutWhatHasNoSize) {
  const lab::Call call{"Answer", 0, {}, nullptr, 0};
  EXPECT_EQ(Describe(call), "Answer");
}

}  // namespace
}  // namespace grader::checker
