// Wrong programs are told by their ranks, calls and lines.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "common/mpi/mpi.h"
#include "common/mpi/observe/tests/observed.h"

namespace lab::mpi {
namespace {

constexpr MPI_Comm kWorld = MPI_COMM_WORLD;

std::string At(int line) { return "test:" + std::to_string(line); }

TEST(FindingTest, NamesTheCallAndLineOfEachRankOfADeadlock) {
  const int first = __LINE__ + 3;
  const Observed seen = Observe(3, [](int rank) {
    int value = 0;
    if (rank == 0) MPI_Recv(&value, 1, MPI_INT, 1, 7, kWorld, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Barrier(kWorld);
  });
  EXPECT_EQ(seen.finding, "mpi: stuck_ranks: no rank can go on\n  rank 0 waits in MPI_Recv() at " +
                              At(first) +
                              " for rank 1, tag 7\n  rank 1 waits in MPI_Barrier() at " +
                              At(first + 1) + "\n  rank 2 has returned\n");
}

TEST(FindingTest, FindsADeadlockThatABufferHides) {
  const int line = __LINE__ + 3;
  const auto program = [](int rank) {
    int mine = rank, theirs;
    MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, kWorld);
    MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, kWorld, MPI_STATUS_IGNORE);
  };
  EXPECT_EQ(Observe(2, program).finding, "");
  const std::string finding = Observe(2, program, true).finding;
  EXPECT_NE(finding.find("as a send need not return"), std::string::npos) << finding;
  EXPECT_NE(finding.find("rank 1 waits in MPI_Send() at " + At(line) + " for rank 0, tag 0"),
            std::string::npos)
      << finding;
}

struct Case {
  const char* kind;
  void (*program)(int rank);
};

int value;
MPI_Request request;

const Case kCases[] = {
    {"unfinished",
     [](int rank) {
       if (rank == 0)
         MPI_Isend(&value, 1, MPI_INT, 1, 0, kWorld, &request);
       else
         MPI_Recv(&value, 1, MPI_INT, 0, 0, kWorld, MPI_STATUS_IGNORE);
     }},
    {"changed_in_flight",
     [](int rank) {
       if (rank == 1) {
         MPI_Recv(&value, 1, MPI_INT, 0, 0, kWorld, MPI_STATUS_IGNORE);
         return;
       }
       MPI_Isend(&value, 1, MPI_INT, 1, 0, kWorld, &request);
       ++value;
       MPI_Wait(&request, MPI_STATUS_IGNORE);
     }},
    {"unreceived",
     [](int rank) {
       if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, kWorld);
     }},
    {"truncated",
     [](int rank) {
       std::array<int, 2> two{};
       if (rank == 0)
         MPI_Send(two.data(), 2, MPI_INT, 1, 0, kWorld);
       else
         MPI_Recv(&value, 1, MPI_INT, 0, 0, kWorld, MPI_STATUS_IGNORE);
     }},
    {"type_mismatch",
     [](int rank) {
       float other;
       if (rank == 0)
         MPI_Send(&value, 1, MPI_INT, 1, 0, kWorld);
       else
         MPI_Recv(&other, 1, MPI_FLOAT, 0, 0, kWorld, MPI_STATUS_IGNORE);
     }},
    {"collective_mismatch", [](int rank) { MPI_Bcast(&value, 1, MPI_INT, rank, kWorld); }},
    {"bad_argument", [](int) { MPI_Send(&value, 1, MPI_INT, 2, 0, kWorld); }},
    {"bad_argument",
     [](int) {
       MPI_Send_init(&value, 1, MPI_INT, 0, 0, kWorld, &request);
       MPI_Start(&request);
       MPI_Start(&request);
     }},
};

class EachFindingTest : public testing::TestWithParam<Case> {};

TEST_P(EachFindingTest, IsToldByItsLine) {
  const std::string finding = Observe(2, GetParam().program).finding;
  const std::string start = std::string("mpi: ") + GetParam().kind + ": ";
  EXPECT_EQ(finding.substr(0, start.size()), start) << finding;
  EXPECT_NE(finding.find("test:"), std::string::npos) << finding;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EachFindingTest, testing::ValuesIn(kCases));

}  // namespace
}  // namespace lab::mpi
