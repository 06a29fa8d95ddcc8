// The public test: a few simple cases for each part. The grader tests more; sync.h says what.

#include "labs/pthreads_sync/sync.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

const lab::Function<decltype(RunPipeline)> run_pipeline{"RunPipeline"};
const lab::Function<decltype(RunWithPermits)> run_with_permits{"RunWithPermits"};
const lab::Function<decltype(RunSteps)> run_steps{"RunSteps"};
const lab::Function<decltype(ServeTable)> serve_table{"ServeTable"};
const lab::Function<decltype(TransferAll)> transfer_all{"TransferAll"};

using Numbers = std::vector<std::uint64_t>;

// How many threads were held at the checkpoint of each element.
template <typename T>
Numbers Together(const std::vector<T>& elements) {
  Numbers together;
  for (const T& element : elements) together.push_back(element.together);
  return together;
}

struct Piped {
  std::vector<std::uint32_t> taken;
  Numbers together;
};

// Checks the values; returns the order of the items, and what the consumers' checkpoints returned.
Piped Pipe(const std::vector<Order>& orders, int producers, int consumers, std::size_t capacity) {
  std::vector<Item> slots(capacity);
  std::vector<std::uint32_t> taken = lab::Poisoned<std::uint32_t>(orders.size());
  std::vector<Visit> uses = lab::Poisoned<Visit>(orders.size());
  run_pipeline(orders, producers, consumers, slots, taken, uses);
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (std::ranges::find(taken, i) == taken.end()) lost.push_back(i);
  }
  EXPECT_EQ(lost, std::vector<std::size_t>()) << "the orders whose items were never taken out";
  if (!lost.empty()) return {taken, Together(uses)};
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const std::uint64_t made = Mix(orders[i].seed, orders[i].make_rounds);
    EXPECT_EQ(uses[i].value, Mix(made, orders[i].use_rounds)) << "uses[" << i << "]";
  }
  return {taken, Together(uses)};
}

TEST(RunPipelineTest, HandsOnAnItem) { Pipe({{7, 1, 1, 0, 0}}, 1, 1, 1); }

TEST(RunPipelineTest, HandsOnManyItemsWithSeveralThreads) {
  std::vector<Order> orders;
  for (std::uint64_t i = 0; i < 100; ++i) orders.push_back({i, 10, 20, 0, 0});
  for (int threads = 1; threads <= 4; ++threads) Pipe(orders, threads, 5 - threads, 3);
}

// make_rank: the consumer sleeps at the empty buffer when the item is made.
TEST(RunPipelineTest, WaitsWhileTheBufferIsEmpty) {
  Pipe({{1, 0, 0, 1, 0}, {2, 0, 0, 2, 0}, {3, 0, 0, 3, 0}}, 1, 2, 2);
}

// use_rank: the producer sleeps at the full buffer when the consumer goes on.
TEST(RunPipelineTest, WaitsWhileTheBufferIsFull) {
  const std::vector<Order> orders(5, {9, 0, 0, 0, 1});
  EXPECT_EQ(Pipe(orders, 1, 1, 2).together, Numbers(5, 1));
}

// All four are held; then the last one makes its item first, and so on.
TEST(RunPipelineTest, LetsProducersMakeItemsAtTheSameTime) {
  const std::vector<Order> orders{
      {1, 0, 0, 4, 0}, {2, 0, 0, 3, 0}, {3, 0, 0, 2, 0}, {4, 0, 0, 1, 0}};
  EXPECT_EQ(Pipe(orders, 4, 1, 4).taken, (std::vector<std::uint32_t>{3, 2, 1, 0}))
      << "the order of the items: does a producer that is held keep others from making theirs?";
}

TEST(RunPipelineTest, LetsConsumersUseItemsAtTheSameTime) {
  EXPECT_EQ(Pipe(std::vector<Order>(3, {9, 0, 0, 0, 1}), 1, 3, 3).together, Numbers(3, 3))
      << "consumers at work at the same time";
}

TEST(RunPipelineTest, EndsWithoutOrders) { Pipe({}, 2, 3, 1); }

Numbers Permit(const std::vector<Job>& jobs, int permits, int threads) {
  std::vector<Visit> visits = lab::Poisoned<Visit>(jobs.size());
  run_with_permits(jobs, permits, threads, visits);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(visits[i].value, Mix(jobs[i].seed, jobs[i].rounds)) << "visits[" << i << "]";
  }
  return Together(visits);
}

TEST(RunWithPermitsTest, DoesEveryJob) {
  std::vector<Job> jobs;
  for (std::uint64_t i = 0; i < 50; ++i) jobs.push_back({i, 10, 0});
  for (int threads = 1; threads <= 4; ++threads) Permit(jobs, 2, threads);
}

// Nobody leaves before all others are at work or asleep: four threads with two permits are at work
// two at a time.
TEST(RunWithPermitsTest, LetsTwoOfFourThreadsWorkAtATime) {
  EXPECT_EQ(Permit(std::vector<Job>(4, {5, 1, 1}), 2, 4), Numbers(4, 2))
      << "threads at work at the same time";
}

// Four leave at once: a sleeper must wake up for each.
TEST(RunWithPermitsTest, WakesAThreadForEachPermitThatIsGivenBack) {
  for (int call = 0; call < 10 && !HasFailure(); ++call) {
    EXPECT_EQ(Permit(std::vector<Job>(8, {5, 1, 1}), 4, 8), Numbers(8, 4))
        << "threads at work at the same time";
  }
}

TEST(RunStepsTest, TakesOneStep) {
  Numbers cells{1, 2, 3};
  run_steps(cells, 1, 1, 2);
  EXPECT_EQ(cells, (Numbers{NextCell(3, 1, 2, 1), NextCell(1, 2, 3, 1), NextCell(2, 3, 1, 1)}));
}

// A single thread needs no barrier that works.
TEST(RunStepsTest, TakesTheSameStepsWithEveryNumberOfThreads) {
  Numbers want{1, 2, 3, 4, 5, 6, 7};
  run_steps(want, 101, 2, 1);
  for (int threads = 2; threads <= 8; ++threads) {
    Numbers cells{1, 2, 3, 4, 5, 6, 7};
    run_steps(cells, 101, 2, threads);
    EXPECT_EQ(cells, want) << threads << " threads";
  }
}

std::vector<Answer> Serve(const std::vector<Request>& requests, int threads) {
  Numbers table{1, 2, 3, 4};
  std::vector<Answer> answers = lab::Poisoned<Answer>(requests.size());
  serve_table(table, requests, threads, answers);
  return answers;
}

TEST(ServeTableTest, LetsReadersBeInsideTogether) {
  EXPECT_EQ(Together(Serve(std::vector<Request>(3, {1, 1, 0, 0, 1}), 3)), Numbers(3, 3));
}

TEST(ServeTableTest, LetsAWriterBeInsideAlone) {
  EXPECT_EQ(Together(Serve(std::vector<Request>(3, {1, 1, 1, 0, 1}), 3)), Numbers(3, 1));
}

// The writer asks while the reader is inside.
TEST(ServeTableTest, KeepsAWriterOutWhileAReaderIsInside) {
  EXPECT_EQ(Together(Serve({{1, 1, 0, 1, 9}, {1, 1, 1, 2, 3}}, 2)), Numbers(2, 1))
      << "threads inside with the reader, and with the writer";
}

// Both readers ask while the writer is inside.
TEST(ServeTableTest, LetsAllReadersInAfterAWriter) {
  EXPECT_EQ(Together(Serve({{1, 1, 1, 1, 9}, {1, 1, 0, 2, 9}, {1, 1, 0, 3, 9}}, 3)),
            (Numbers{1, 2, 2}))
      << "threads inside with the writer, and with each reader";
}

// They arrive in this order: a reader, which stays inside; a writer; another reader.
TEST(ServeTableTest, LetsAWaitingWriterGoBeforeANewReader) {
  const std::vector<Answer> answers = Serve({{1, 1, 0, 1, 9}, {1, 1, 1, 2, 9}, {1, 1, 0, 3, 9}}, 3);
  EXPECT_LT(answers[0].turn, answers[1].turn);
  EXPECT_LT(answers[1].turn, answers[2].turn) << "the second reader passed before the writer";
}

TEST(TransferAllTest, MovesAnAmountOrWhatIsThere) {
  std::vector<Account> accounts{{10, 0}, {0, 0}};
  std::vector<Receipt> receipts(2);
  transfer_all(accounts, std::vector<Transfer>{{7, 0, 1, 0, 0}, {7, 0, 1, 0, 0}}, 1, receipts);
  EXPECT_EQ(receipts[0].moved, 7);
  EXPECT_EQ(receipts[1].moved, 3);
  EXPECT_EQ(accounts[1].balance, 10);
}

TEST(TransferAllTest, MovesFromAnAccountToItself) {
  std::vector<Account> accounts{{10, 0}};
  std::vector<Receipt> receipts(1);
  transfer_all(accounts, std::vector<Transfer>{{7, 0, 0, 0, 0}}, 1, receipts);
  EXPECT_EQ(receipts[0].moved, 7);
  EXPECT_EQ(accounts[0].balance, 10);
}

// Every account pays every other one, and itself.
TEST(TransferAllTest, KeepsTheSumWhoeverPaysWhom) {
  std::vector<Account> accounts(3, {1000, 0});
  std::vector<Transfer> transfers;
  for (std::uint32_t i = 0; i < 300; ++i) transfers.push_back({i, i % 3, i / 3 % 3, 5, 0});
  std::vector<Receipt> receipts(transfers.size());
  transfer_all(accounts, transfers, 4, receipts);
  EXPECT_EQ(accounts[0].balance + accounts[1].balance + accounts[2].balance, 3000);
}

// Three accounts pay each other in a ring: each two transfers share an account.
TEST(TransferAllTest, ExecutesOneAtATimeOfThoseThatShareAnAccount) {
  std::vector<Account> accounts(3, {100, 0});
  const std::vector<Transfer> transfers{{1, 0, 1, 0, 1}, {1, 1, 2, 0, 1}, {1, 2, 0, 0, 1}};
  std::vector<Receipt> receipts(3);
  transfer_all(accounts, transfers, 3, receipts);
  EXPECT_EQ(Together(receipts), Numbers(3, 1)) << "transfers that are executed at the same time";
}

TEST(TransferAllTest, ExecutesDisjointTransfersAtTheSameTime) {
  std::vector<Account> accounts(6, {100, 0});
  const std::vector<Transfer> transfers{{1, 0, 1, 0, 1}, {1, 3, 2, 0, 1}, {1, 4, 5, 0, 1}};
  std::vector<Receipt> receipts(3);
  transfer_all(accounts, transfers, 3, receipts);
  EXPECT_EQ(Together(receipts), Numbers(3, 3));
}

// What the grader looks at beside right answers: see "The parts" in README.md.

TEST(RunPipelineTest, ShowsHowParallelItIs) {
  const std::vector<Order> orders(lab::Scaled(64), {1, 100'000, 100'000, 0, 0});
  lab::ShowParallelism([&](int team) {
    const int half = std::max(1, team / 2);
    Pipe(orders, half, half, 16);
  });
}

TEST(RunWithPermitsTest, ShowsHowParallelItIs) {
  const std::vector<Job> jobs(lab::Scaled(96), {1, 100'000, 0});
  lab::ShowParallelism([&](int team) { Permit(jobs, team, 2 * team); });
}

TEST(RunStepsTest, ShowsHowParallelItIs) {
  lab::ShowParallelism([&](int team) {
    Numbers cells(32, 1);
    run_steps(cells, lab::Scaled(15), 30'000, team);
  });
}

TEST(ServeTableTest, ShowsHowParallelItIs) {
  const std::vector<Request> requests(lab::Scaled(48), {1, 100'000, 0, 0, 0});
  lab::ShowParallelism([&](int team) { Serve(requests, team); });
}

TEST(TransferAllTest, ShowsHowParallelItIs) {
  std::vector<Transfer> transfers;
  for (std::uint32_t i = 0; i < lab::Scaled(96); ++i) {
    transfers.push_back({1, 2 * i, 2 * i + 1, 100'000, 0});
  }
  lab::ShowParallelism([&](int team) {
    std::vector<Account> accounts(2 * transfers.size(), {100, 0});
    std::vector<Receipt> receipts(transfers.size());
    transfer_all(accounts, transfers, team, receipts);
  });
}

}  // namespace
