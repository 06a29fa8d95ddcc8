// What programs send is counted exactly, whatever functions they send it by.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "common/mpi/mpi.h"
#include "common/mpi/observe/tests/observed.h"

namespace lab::mpi {
namespace {

constexpr MPI_Comm kWorld = MPI_COMM_WORLD;

TEST(CountingTest, CountsMessagesAndBytesOfTwoRanks) {
  const Observed seen = Observe(2, [](int rank) {
    std::array<double, 10> values{};
    std::array<int, 3> more{};
    if (rank == 0) {
      MPI_Send(values.data(), 10, MPI_DOUBLE, 1, 0, kWorld);
      MPI_Ssend(more.data(), 3, MPI_INT, 1, 5, kWorld);
    } else {
      MPI_Status status;
      int count = 0;
      MPI_Probe(0, MPI_ANY_TAG, kWorld, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      ExpectInRank(count == 10, "the probe tells the message's length");
      MPI_Recv(values.data(), 10, MPI_DOUBLE, 0, 0, kWorld, MPI_STATUS_IGNORE);
      MPI_Recv(more.data(), 3, MPI_INT, 0, 5, kWorld, MPI_STATUS_IGNORE);
    }
  });
  EXPECT_EQ(seen.finding, "");
  EXPECT_EQ(seen.Count("messages"), 2);
  EXPECT_EQ(seen.Count("message_bytes"), 92);
  EXPECT_EQ(seen.Count("busiest_rank_bytes"), 92);
  EXPECT_EQ(seen.Count("message_chain"), 2);
  EXPECT_EQ(seen.Count("byte_chain"), 92);
}

TEST(CountingTest, AChainGrowsOnlyByMessagesThatWaitForEachOther) {
  // 0 to 1 to 2, and 3 to 2 at the same time.
  const Observed seen = Observe(4, [](int rank) {
    double value = 0;
    if (rank == 1) MPI_Recv(&value, 1, MPI_DOUBLE, 0, 0, kWorld, MPI_STATUS_IGNORE);
    if (rank == 3) MPI_Send(&value, 1, MPI_DOUBLE, 2, 3, kWorld);
    if (rank < 2) MPI_Send(&value, 1, MPI_DOUBLE, rank + 1, 0, kWorld);
    if (rank != 2) return;
    MPI_Recv(&value, 1, MPI_DOUBLE, 3, 3, kWorld, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_DOUBLE, 1, 0, kWorld, MPI_STATUS_IGNORE);
  });
  EXPECT_EQ(seen.Count("messages"), 3);
  EXPECT_EQ(seen.Count("message_chain"), 2);
  EXPECT_EQ(seen.Count("byte_chain"), 16);
}

TEST(CountingTest, AllRanksMaySendAndReceiveAtTheSameTime) {
  const Observed seen = Observe(4, [](int rank) {
    int mine = rank, left = -1, again = -1;
    std::array<MPI_Request, 2> requests;
    MPI_Irecv(&left, 1, MPI_INT, (rank + 3) % 4, 0, kWorld, &requests[0]);
    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % 4, 0, kWorld, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&left, 1, MPI_INT, (rank + 1) % 4, 1, &again, 1, MPI_INT, (rank + 3) % 4, 1,
                 kWorld, MPI_STATUS_IGNORE);
    ExpectInRank(left == (rank + 3) % 4 && again == (rank + 2) % 4, "values go round");
  });
  EXPECT_EQ(seen.Count("messages"), 8);
  EXPECT_EQ(seen.Count("message_chain"), 2);
}

TEST(CountingTest, EachStartOfAPersistentRequestIsAMessage) {
  const Observed seen = Observe(2, [](int rank) {
    int mine = 0, theirs = -1;
    std::array<MPI_Request, 2> requests;
    MPI_Send_init(&mine, 1, MPI_INT, 1 - rank, 0, kWorld, &requests[0]);
    MPI_Recv_init(&theirs, 1, MPI_INT, 1 - rank, 0, kWorld, &requests[1]);
    for (int step = 0; step < 3; ++step) {
      mine = 10 * step + rank;
      MPI_Startall(2, requests.data());
      MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
      ExpectInRank(theirs == 10 * step + 1 - rank, "each start receives");
      // Between starts there is nothing to wait for.
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    for (MPI_Request& request : requests) MPI_Request_free(&request);
    ExpectInRank(requests[0] == MPI_REQUEST_NULL, "a freed request is null");
  });
  EXPECT_EQ(seen.finding, "");
  EXPECT_EQ(seen.Count("messages"), 6);
  EXPECT_EQ(seen.Count("message_chain"), 3);
}

// Rank 0 receives a number from each other rank by requests that it completes as `take` says.
template <typename Take>
void ExpectCollected(const Take& take) {
  const Observed seen = Observe(4, [&](int rank) {
    if (rank > 0) return static_cast<void>(MPI_Send(&rank, 1, MPI_INT, 0, 0, kWorld));
    std::array<int, 3> values{};
    std::array<MPI_Request, 3> requests;
    for (int from = 1; from < 4; ++from) {
      const auto place = static_cast<std::size_t>(from - 1);
      MPI_Irecv(&values[place], 1, MPI_INT, from, 0, kWorld, &requests[place]);
    }
    std::multiset<int> completed;
    while (completed.size() < 3) take(requests, completed);
    ExpectInRank(completed == std::multiset<int>{0, 1, 2}, "each completes once");
    ExpectInRank(values == std::array{1, 2, 3}, "the values are there");
    ExpectInRank(std::ranges::count(requests, MPI_REQUEST_NULL) == 3, "no request is left");
  });
  EXPECT_EQ(seen.finding, "");
  EXPECT_EQ(seen.Count("messages"), 3);
}

using Requests = std::array<MPI_Request, 3>;

TEST(CountingTest, WaitanyCompletesOneAtATime) {
  ExpectCollected([](Requests& requests, std::multiset<int>& completed) {
    int index;
    MPI_Waitany(3, requests.data(), &index, MPI_STATUS_IGNORE);
    completed.insert(index);
  });
}

TEST(CountingTest, WaitsomeAndTestsomeCompleteWhatIsDone) {
  ExpectCollected([](Requests& requests, std::multiset<int>& completed) {
    int count;
    std::array<int, 3> indices;
    MPI_Waitsome(3, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
    completed.insert(indices.begin(), indices.begin() + count);
    MPI_Testsome(3, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
    if (count != MPI_UNDEFINED) completed.insert(indices.begin(), indices.begin() + count);
  });
}

TEST(CountingTest, TestanyAndTestallTellWhatIsDone) {
  ExpectCollected([](Requests& requests, std::multiset<int>& completed) {
    int index, flag;
    MPI_Testany(3, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    if (flag != 0) completed.insert(index);
    if (completed.size() != 2) return;
    MPI_Testall(3, requests.data(), &flag, MPI_STATUSES_IGNORE);
    if (flag != 0) completed = {0, 1, 2};
  });
}

TEST(CountingTest, CountsTheElementsOfAColumnAlone) {
  const Observed seen = Observe(2, [](int rank) {
    std::array<double, 12> grid{};  // 3 rows of 4
    MPI_Datatype column;
    MPI_Type_vector(3, 1, 4, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
      for (std::size_t row = 0; row < 3; ++row) grid[4 * row + 1] = static_cast<double>(row + 1);
      MPI_Send(&grid[1], 1, column, 1, 0, kWorld);
    } else {
      MPI_Request request;
      MPI_Irecv(&grid[3], 1, column, 0, 0, kWorld, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      ExpectInRank(grid[3] == 1 && grid[7] == 2 && grid[11] == 3, "a column becomes a column");
    }
    MPI_Type_free(&column);
  });
  EXPECT_EQ(seen.finding, "");
  EXPECT_EQ(seen.Count("message_bytes"), 24);
}

TEST(CountingTest, CountsInGridsAndPartsOfTheWorld) {
  const Observed seen = Observe(4, [](int rank) {
    MPI_Comm grid, row, pair;
    const std::array<int, 2> sizes{2, 2}, wraps{0, 0}, remains{0, 1};
    MPI_Cart_create(kWorld, 2, sizes.data(), wraps.data(), 0, &grid);
    int up, down;
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    int mine = rank, theirs = -1;
    // At the border the neighbour is MPI_PROC_NULL, to which nothing is sent.
    MPI_Sendrecv(&mine, 1, MPI_INT, down, 0, &theirs, 1, MPI_INT, up, 0, grid, MPI_STATUS_IGNORE);
    ExpectInRank(theirs == (rank < 2 ? -1 : rank - 2), "values go down");
    MPI_Cart_sub(grid, remains.data(), &row);
    MPI_Comm_split(kWorld, rank % 2, -rank, &pair);
    int place;
    MPI_Comm_rank(pair, &place);
    ExpectInRank(place == (rank < 2 ? 1 : 0), "the key orders the ranks");
    if (place == 0) MPI_Send(&mine, 1, MPI_INT, 1, 0, pair);
    if (place == 1) MPI_Recv(&theirs, 1, MPI_INT, 0, 0, pair, MPI_STATUS_IGNORE);
    ExpectInRank(place == 0 || theirs == rank + 2, "the message comes from the pair's other rank");
    MPI_Barrier(row);
    for (MPI_Comm* each : {&grid, &row, &pair}) MPI_Comm_free(each);
  });
  EXPECT_EQ(seen.finding, "");
  EXPECT_EQ(seen.Count("messages"), 4);
  EXPECT_EQ(seen.Count("collectives"), 16);
  // What MPI_Comm_split tells all ranks of a color and a key.
  EXPECT_EQ(seen.Count("collective_bytes"), 32);
}

TEST(CountingTest, CountsCollectivesAsStepsOfATree) {
  const Observed seen = Observe(4, [](int rank) {
    std::array<double, 4> values{};
    double sum = 0;
    const double mine = rank;
    MPI_Bcast(values.data(), 4, MPI_DOUBLE, 2, kWorld);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, kWorld);
    ExpectInRank(sum == 6, "the sum is there");
  });
  EXPECT_EQ(seen.Count("messages"), 0);
  EXPECT_EQ(seen.Count("collectives"), 8);
  EXPECT_EQ(seen.Count("collective_bytes"), 4 * (32 + 8));
  EXPECT_EQ(seen.Count("message_chain"), 4);
}

TEST(CountingTest, OneColumnMayBeSentWhileItsNeighbourIsReceived) {
  const Observed seen = Observe(2, [](int rank) {
    std::array<double, 6> rows{0, 1, 2, 3, 4, 5};  // three of two columns
    MPI_Datatype column;
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(&rows[0], 1, column, 1 - rank, 0, &rows[1], 1, column, 1 - rank, 0, kWorld,
                 MPI_STATUS_IGNORE);
    ExpectInRank(rows[3] == 2 && rows[5] == 4, "the column is there");
    MPI_Type_free(&column);
  });
  EXPECT_EQ(seen.Count("byte_chain"), 24);
}

TEST(CountingTest, AReceiveFromNobodyTakesNoMessage) {
  const Observed seen = Observe(2, [](int rank) {
    double value = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) MPI_Isend(&value, 1, MPI_DOUBLE, 1, 0, kWorld, &request);
    MPI_Barrier(kWorld);
    if (rank == 1) {
      MPI_Status status;
      MPI_Recv(nullptr, 0, MPI_DOUBLE, MPI_PROC_NULL, 0, kWorld, &status);
      ExpectInRank(status.MPI_SOURCE == MPI_PROC_NULL, "nobody sent it");
      MPI_Recv(&value, 1, MPI_DOUBLE, 0, 0, kWorld, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  EXPECT_EQ(seen.Count("messages"), 1);
}

TEST(CountingTest, AnEmptyMessageCountsForItsTag) {
  const Observed seen = Observe(2, [](int rank) {
    if (rank == 0) MPI_Send(nullptr, 0, MPI_BYTE, 1, 77, kWorld);
    if (rank == 1) MPI_Recv(nullptr, 0, MPI_BYTE, 0, 77, kWorld, MPI_STATUS_IGNORE);
  });
  EXPECT_EQ(seen.Count("messages"), 1);
  EXPECT_EQ(seen.Count("message_bytes"), 8);
  EXPECT_EQ(seen.Count("byte_chain"), 8);
}

// The rank from which rank 0 takes the first message with this seed.
int FirstSource(int seed) {
  setenv("LAB_MPI_SCHEDULE", std::to_string(seed).c_str(), 1);
  const auto program = [](int rank) {
    if (rank > 0) return static_cast<void>(MPI_Send(&rank, 1, MPI_INT, 0, 0, kWorld));
    std::array<int, 2> values{};
    for (int& value : values) {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, kWorld, MPI_STATUS_IGNORE);
    }
    // As many empty messages as the first rank's number.
    for (int i = 0; i < values[0]; ++i) {
      MPI_Request request;
      MPI_Isend(nullptr, 0, MPI_BYTE, 0, 1, kWorld, &request);
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, 1, kWorld, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  };
  return static_cast<int>(Observe(3, program, true).Count("messages")) - 2;
}

TEST(CountingTest, ASeedChoosesWhichOfTwoMessagesAWildcardTakes) {
  std::set<int> first;
  // A sender that gets no core for long is not waited for, so a seed alone decides nothing.
  for (int seed = 1; seed <= 20 && first.size() < 2; ++seed) first.insert(FirstSource(seed));
  EXPECT_EQ(first, (std::set<int>{1, 2}));
}

}  // namespace
}  // namespace lab::mpi
