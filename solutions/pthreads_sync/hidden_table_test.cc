// The hidden test of the lab "Waiting with pthreads", parts 4 and 5.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/timed_pairs.h"
#include "solutions/pthreads_sync/hidden_checks.h"

namespace pthreads_sync::table_test {

std::vector<std::uint64_t> Cells(lab::Random& random, std::size_t n) {
  std::vector<std::uint64_t> cells(n);
  for (std::uint64_t& cell : cells) cell = random.Next();
  return cells;
}

// Every `period`-th request on average is a writer's.
std::vector<Request> Requests(lab::Random& random, std::size_t n, int period,
                              std::uint32_t rounds) {
  std::vector<Request> requests(n);
  for (Request& request : requests) {
    request = {random.Next(), rounds, random.UniformInt(1, period) == 1 ? 1u : 0u, 0, 0};
  }
  return requests;
}

// Who is inside with how many, in the order of their turns: `R2 R2 W1`.
std::string Story(const std::vector<Request>& requests, const std::vector<Answer>& answers) {
  std::string story;
  for (const std::size_t i : ByTurn(answers)) {
    story += (requests[i].writes ? " W" : " R") + std::to_string(answers[i].together);
  }
  return story;
}

void Append(std::string& story, char kind, std::size_t together) {
  for (std::size_t i = 0; i < together; ++i) story += ' ' + (kind + std::to_string(together));
}

// What must happen if all arrive, one after the other, before anybody leaves: readers enter until
// the first writer comes; then all writers go, then the other readers, together.
std::string WantedStory(std::string_view arrivals) {
  const std::size_t first = std::min(arrivals.find('W'), arrivals.size());
  const auto writers = std::ranges::count(arrivals, 'W');
  std::string story;
  Append(story, 'R', first);
  for (auto w = writers; w > 0; --w) Append(story, 'W', 1);
  Append(story, 'R', arrivals.size() - first - writers);
  return story;
}

// Thread i makes request i, arrives when all before it are inside or asleep, and those inside leave
// only when all have arrived.
void Arrive(lab::Random& random, std::string_view arrivals) {
  std::vector<Request> requests(arrivals.size());
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    requests[i] = {random.Next(), 1, arrivals[i] == 'W' ? 1u : 0u,
                   static_cast<std::uint32_t>(i + 1), 1000};
  }
  const std::vector<Answer> answers =
      Serve(Cells(random, 4), requests, static_cast<int>(requests.size()));
  EXPECT_EQ(Story(requests, answers), WantedStory(arrivals))
      << "readers and writers in the order in which they passed, each with the number of those "
         "inside, where they arrived in the order "
      << arrivals;
}

TEST(ServeTableTest, LetsPassWhoMayPassInEveryOrderOfFourArrivals) {
  lab::Random random;
  for (unsigned bits = 0; bits < 16; ++bits) {
    std::string arrivals;
    for (int i = 0; i < 4; ++i) arrivals += (bits >> i & 1) != 0 ? 'W' : 'R';
    Arrive(random, arrivals);
  }
}

TEST(ServeTableTest, LetsNoReaderPassBeforeAWriterThatWaits) {
  lab::Random random;
  for (const char* arrivals : {"RWRRRRR", "RRRWRRRW", "WRWRWRWR", "RRWWRR"}) {
    Arrive(random, arrivals);
  }
}

TEST(ServeTableTest, ReturnsWhenThereIsNoRequest) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) Serve(Cells(random, 2), {}, threads);
}

TEST(ServeTableTest, GivesAnswersThatSomeOrderOfTheRequestsExplains) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const int period : {1, 2, 5, 1000}) {
      const std::size_t n = random.UniformInt<std::size_t>(1, 150);
      Serve(Cells(random, random.UniformInt<std::size_t>(1, 20)), Requests(random, n, period, 20),
            threads);
    }
  }
}

TEST(ServeTableTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Serve(Cells(random, 8), Requests(random, 60, 4, 10), 4);
  });
}

std::vector<Account> Accounts(lab::Random& random, std::size_t n) {
  std::vector<Account> accounts(n);
  for (Account& account : accounts) account.balance = random.Uniform<std::uint64_t>(0, 1000);
  return accounts;
}

std::vector<Transfer> Transfers(lab::Random& random, std::size_t n, std::size_t accounts,
                                std::uint32_t rounds) {
  std::vector<Transfer> transfers(n);
  for (Transfer& transfer : transfers) {
    const auto last = static_cast<std::uint32_t>(accounts - 1);
    transfer = {random.Uniform<std::uint64_t>(0, 700), random.Uniform<std::uint32_t>(0, last),
                random.Uniform<std::uint32_t>(0, last), rounds, 0};
  }
  return transfers;
}

// A transfer from and to each pair of neighbours on a ring, in both directions.
TEST(TransferAllTest, NeedsNoOrderOfTheAccounts) {
  lab::Random random;
  for (std::uint32_t accounts = 2; accounts <= 5; ++accounts) {
    std::vector<Transfer> transfers;
    for (std::uint32_t a = 0; a < accounts; ++a) {
      const std::uint32_t b = (a + 1) % accounts;
      transfers.push_back({random.Uniform<std::uint64_t>(1, 300), a, b, 0, 0});
      transfers.push_back({random.Uniform<std::uint64_t>(1, 300), b, a, 0, 0});
    }
    random.Shuffle(transfers);
    for (const int threads : {1, 2, 4}) Execute(Accounts(random, accounts), transfers, threads);
  }
}

TEST(TransferAllTest, ExecutesDisjointTransfersAtTheSameTime) {
  lab::Random random;
  for (std::uint32_t pairs = 1; pairs <= kMaxThreads; ++pairs) {
    std::vector<Transfer> transfers;
    for (std::uint32_t p = 0; p < pairs; ++p) transfers.push_back({10, 2 * p + 1, 2 * p, 0, 1});
    const std::vector<Receipt> receipts =
        Execute(Accounts(random, 2 * pairs), transfers, static_cast<int>(pairs));
    EXPECT_EQ(Together(receipts), std::vector<std::uint64_t>(pairs, pairs))
        << "transfers at the same time, of " << pairs << " that share no account";
  }
}

TEST(TransferAllTest, ExecutesOneAtATimeOfThoseThatShareAnAccount) {
  lab::Random random;
  std::vector<Transfer> transfers;
  for (std::uint32_t a = 1; a <= 6; ++a) {
    transfers.push_back({50, a % 2 == 0 ? a : 0, a % 2 == 0 ? 0 : a, 0, 1});
  }
  const std::vector<Receipt> receipts = Execute(Accounts(random, 7), transfers, 6);
  EXPECT_EQ(Together(receipts), std::vector<std::uint64_t>(6, 1));
}

TEST(TransferAllTest, ExecutesTransfersFromAnAccountToItself) {
  lab::Random random;
  const std::vector<Transfer> transfers = Transfers(random, 40, 1, 5);
  for (int threads = 1; threads <= 4; ++threads) Execute(Accounts(random, 1), transfers, threads);
}

TEST(TransferAllTest, GivesReceiptsThatSomeOrderOfTheTransfersExplains) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t accounts : {2, 3, 10, 100}) {
      const std::size_t n = random.UniformInt<std::size_t>(0, 300);
      Execute(Accounts(random, accounts), Transfers(random, n, accounts, 50), threads);
    }
  }
}

TEST(TransferAllTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Execute(Accounts(random, 5), Transfers(random, 60, 5, 10), 4);
  });
}

TEST(ServeTableParallel, ReadsALargeTable) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    std::vector<Request> requests = Requests(random, lab::Scaled(112), 16, 25'000);
    for (Request& request : requests) request.rounds = request.writes ? 500 : request.rounds;
    return [requests, cells = Cells(random, 8)] { Serve(cells, requests, TimedThreads()); };
  });
}

TEST(ServeTableTiming, ServesManySmallRequests) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [requests = Requests(random, lab::Scaled(4000), 16, 60), cells = Cells(random, 8)] {
      Serve(cells, requests, TimedThreads());
    };
  });
}

TEST(TransferAllParallel, ExecutesLargeTransfers) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [accounts = Accounts(random, 1000),
            transfers = Transfers(random, lab::Scaled(176), 1000, 100'000)] {
      Execute(accounts, transfers, TimedThreads());
    };
  });
}

TEST(TransferAllTiming, ExecutesManySmallTransfers) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    return [accounts = Accounts(random, 1000),
            transfers = Transfers(random, lab::Scaled(8000), 1000, 500)] {
      Execute(accounts, transfers, TimedThreads());
    };
  });
}

}  // namespace pthreads_sync::table_test
