#include "grader/run/checker/race_report.h"

#include <string>

#include "gtest/gtest.h"

namespace grader::checker {
namespace {

const std::string kHead = "==================\nWARNING: ThreadSanitizer: data race (pid=2)\n";
const std::string kWrite = "  Write of size 8 at 0x7fff by thread T3:\n";
const std::string kPrevious = "\n  Previous atomic read of size 8 at 0x7fff by main thread:\n";
const std::string kSummary = "\nSUMMARY: ThreadSanitizer: data race stl_algo.h:4873 in merge\n";

TEST(DescribeRaceTest, NamesBothAccessesAtTheInnermostOwnLine) {
  EXPECT_EQ(
      DescribeRace("size 7\n" + kHead + kWrite +
                   "    #0 std::merge /usr/include/stl_algo.h:4873:18 (submission.so+0x1)\n"
                   "    #1 MergeSort /submission/tasks.cc:56:3 (submission.so+0x2)\n"
                   "    #2 Sort /submission/tasks.cc:80:3\n" +
                   kPrevious + "    #0 .omp_outlined. /submission/tasks.cc:51:7\n" + kSummary),
      "data race: the write at tasks.cc:56 races with the atomic read of another thread at "
      "tasks.cc:51");
}

TEST(DescribeRaceTest, PassesOverAFrameWithoutALine) {
  EXPECT_EQ(DescribeRace(kHead + kWrite + "    #0 f /submission/sum.cc (submission.so+0x2)\n" +
                         "    #1 g /submission/sum.cc:7:1 (submission.so+0x3)\n" + kPrevious +
                         "    #0 h /submission/sum.cc:9\n" + kSummary),
            "data race: the write at sum.cc:7 races with the atomic read of another thread at "
            "sum.cc:9");
}

TEST(DescribeRaceTest, DoesNotTakeTheLineOfAnAllocationForThatOfAnAccess) {
  EXPECT_EQ(DescribeRace(kHead + kWrite + "    #0 f /submission/sum.cc:7:1\n" + kPrevious +
                         "    [failed to restore the stack]\n\n  Location is heap block of size 40 "
                         "at 0x7b0c allocated by main thread:\n    #8 f /submission/sum.cc:3:1\n" +
                         kSummary),
            "");
}

TEST(DescribeRaceTest, SaysNothingOfOtherReportsAndOfTornOnes) {
  EXPECT_EQ(DescribeRace(""), "");
  EXPECT_EQ(DescribeRace("WARNING: ThreadSanitizer: thread leak (pid=2)\n"), "");
  EXPECT_EQ(DescribeRace(kHead + kWrite + "    #0 f /submission/sum.cc:7:1"), "");
  EXPECT_EQ(DescribeRace(kHead + "   of size \n    #0 f /submission/a:\n"), "");
}

std::string Locked(const std::string& what, const std::string& line) {
  return "  Mutex " + what +
         ":\n    #0 pthread_mutex_lock <null> (worker+0x7)\n    #1 f /submission/" + line +
         ":3 (submission.so+0x1)\n    #2 g /submission/sum.cc:99:1\n\n";
}

std::string LocksInBothOrders(const std::string& last) {
  return "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=2)\n"
         "  Cycle in lock order graph: M0 (0x7b) => M1 (0x7c) => M0\n\n" +
         Locked("M1 acquired here while holding mutex M0 in thread T3", "sum.cc:13") +
         Locked("M0 previously acquired by the same thread here", "sum.cc:12") +
         Locked("M0 acquired here while holding mutex M1 in main thread", "sum.cc:31") + last +
         kSummary;
}

TEST(DescribeLockOrdersTest, NamesBothOrdersWithAllFourLines) {
  EXPECT_EQ(
      DescribeLockOrders(
          LocksInBothOrders(Locked("M1 previously acquired by the same thread here", "sum.cc:30"))),
      "deadlock: locks M0 at sum.cc:12 and then M1 at sum.cc:13, elsewhere M1 at sum.cc:30 and "
      "then M0 at sum.cc:31: two threads can wait for each other forever");
}

TEST(DescribeLockOrdersTest, SaysNothingOfOtherReportsAndOfTornOnes) {
  EXPECT_EQ(DescribeLockOrders(""), "");
  EXPECT_EQ(DescribeLockOrders(kHead + kWrite + kSummary), "");
  EXPECT_EQ(DescribeLockOrders(LocksInBothOrders("")), "");
  EXPECT_EQ(
      DescribeLockOrders(LocksInBothOrders("  Mutex M1 previously acquired by the same thread "
                                           "here:\n    #0 f <null> (worker+0x7)\n\n")),
      "");
}

}  // namespace
}  // namespace grader::checker
