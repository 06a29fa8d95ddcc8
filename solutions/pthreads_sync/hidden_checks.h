#pragma once

// Calls each function and checks what it did against what it must have done in some order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "common/lab/call/team_size.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/pthreads_sync/sync.h"

namespace pthreads_sync {

inline constexpr int kMaxThreads = 8;

inline const lab::Function<decltype(RunPipeline)> run_pipeline{"RunPipeline"};
inline const lab::Function<decltype(RunWithPermits)> run_with_permits{"RunWithPermits"};
inline const lab::Function<decltype(RunSteps)> run_steps{"RunSteps"};
inline const lab::Function<decltype(ServeTable)> serve_table{"ServeTable"};
inline const lab::Function<decltype(TransferAll)> transfer_all{"TransferAll"};

// As many threads as the run asks for; four where it does not.
inline int TimedThreads() { return lab::CurrentTeamSize() == 0 ? 4 : lab::CurrentTeamSize(); }

// How many threads were held at the checkpoint of each element.
template <typename T>
std::vector<std::uint64_t> Together(const std::vector<T>& elements) {
  std::vector<std::uint64_t> together;
  for (const T& element : elements) together.push_back(element.together);
  return together;
}

struct PipelineSize {
  int producers;
  int consumers;
  std::size_t capacity;

  std::string Case(std::size_t orders) const {
    return "with " + std::to_string(orders) + " orders, producers = " + std::to_string(producers) +
           ", consumers = " + std::to_string(consumers) + ", " + std::to_string(capacity) +
           " slots";
  }
};

// The items of each producer must leave the buffer in their order, and every item once.
inline void CheckTaken(const std::vector<std::uint32_t>& taken, const PipelineSize& size) {
  std::vector<std::size_t> next(size.producers);
  std::iota(next.begin(), next.end(), 0);
  for (std::size_t t = 0; t < taken.size(); ++t) {
    const std::size_t producer = taken[t] % size.producers;
    ASSERT_EQ(taken[t], next[producer])
        << "taken[" << t << "], the next order of producer " << producer;
    next[producer] += size.producers;
  }
}

// Fails unless all that the pipeline did is right; returns the results.
inline std::vector<Visit> Pipe(const std::vector<Order>& orders, const PipelineSize& size) {
  SCOPED_TRACE(size.Case(orders.size()));
  const std::size_t n = orders.size();
  std::vector<Item> slots = lab::Poisoned<Item>(size.capacity);
  std::vector<std::uint32_t> taken = lab::Poisoned<std::uint32_t>(n);
  std::vector<Visit> uses = lab::Poisoned<Visit>(n);
  run_pipeline(orders, size.producers, size.consumers, slots, taken, uses);
  CheckTaken(taken, size);
  if (testing::Test::HasFatalFailure()) return uses;
  for (std::size_t t = 0; t < n; ++t) {
    const std::size_t i = taken[t];
    const std::uint64_t made = Mix(orders[i].seed, orders[i].make_rounds);
    EXPECT_EQ(uses[i].value, Mix(made, orders[i].use_rounds)) << "uses[" << i << "]";
    if (t + size.capacity < n) continue;
    const Item& slot = slots[t % size.capacity];
    EXPECT_EQ(slot.order, i) << "slots[" << t % size.capacity << "] after all";
    EXPECT_EQ(slot.value, made) << "slots[" << t % size.capacity << "] after all";
  }
  return uses;
}

inline std::vector<Visit> Permit(const std::vector<Job>& jobs, int permits, int threads) {
  SCOPED_TRACE("with " + std::to_string(jobs.size()) + " jobs, permits = " +
               std::to_string(permits) + ", num_threads = " + std::to_string(threads));
  std::vector<Visit> visits = lab::Poisoned<Visit>(jobs.size());
  run_with_permits(jobs, permits, threads, visits);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(visits[i].value, Mix(jobs[i].seed, jobs[i].rounds)) << "visits[" << i << "]";
  }
  return visits;
}

// Where the requests were served, by turn.
inline std::vector<std::size_t> ByTurn(const std::vector<Answer>& answers) {
  std::vector<std::size_t> order(answers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return answers[i].turn; });
  return order;
}

// Serves the requests and repeats them in the order of their turns, one after the other.
inline std::vector<Answer> Serve(const std::vector<std::uint64_t>& before,
                                 const std::vector<Request>& requests, int threads) {
  SCOPED_TRACE("with " + std::to_string(requests.size()) +
               " requests, num_threads = " + std::to_string(threads));
  std::vector<std::uint64_t> table = before;
  std::vector<Answer> answers = lab::Poisoned<Answer>(requests.size());
  serve_table(table, requests, threads, answers);
  std::vector<std::uint64_t> want = before;
  for (const std::size_t i : ByTurn(answers)) {
    Request request = requests[i];
    request.inside_rank = 0;
    const Answer answer = request.writes ? Write(want, request) : Read(want, request);
    EXPECT_EQ(answers[i].value, answer.value)
        << "answers[" << i << "], a " << (request.writes ? "writer" : "reader");
  }
  EXPECT_EQ(table, want) << "the table after all";
  return answers;
}

// Executes the transfers again, one after the other, in an order in which each finds the versions
// that its receipt says.
class Replay {
 public:
  Replay(std::vector<Account> accounts, const std::vector<Transfer>& transfers,
         const std::vector<Receipt>& receipts)
      : accounts_(std::move(accounts)), transfers_(transfers), receipts_(receipts) {}

  const std::vector<Account>& Run() {
    std::vector<std::size_t> left(transfers_.size());
    std::iota(left.begin(), left.end(), 0);
    while (!left.empty()) {
      const std::size_t done = std::erase_if(left, [&](std::size_t i) { return IsNext(i); });
      if (done > 0) continue;
      ADD_FAILURE() << "receipts[" << left[0] << "]: from_version "
                    << receipts_[left[0]].from_version << ", to_version "
                    << receipts_[left[0]].to_version << ": no order of the transfers gives all "
                    << left.size() << " receipts that are left";
      break;
    }
    return accounts_;
  }

 private:
  // Executes the transfer if its accounts have the versions that it found.
  bool IsNext(std::size_t i) {
    Transfer transfer = transfers_[i];
    transfer.rank = 0;
    Account& from = accounts_[transfer.from];
    Account& to = accounts_[transfer.to];
    const bool is_own = transfer.from == transfer.to;
    if (receipts_[i].from_version != from.version ||
        receipts_[i].to_version != to.version + (is_own ? 1 : 0)) {
      return false;
    }
    const Receipt want = Move(from, to, transfer);
    EXPECT_EQ(receipts_[i].moved, want.moved) << "receipts[" << i << "].moved";
    EXPECT_EQ(receipts_[i].seal, want.seal) << "receipts[" << i << "].seal";
    return true;
  }

  std::vector<Account> accounts_;
  const std::vector<Transfer>& transfers_;
  const std::vector<Receipt>& receipts_;
};

inline std::vector<Receipt> Execute(const std::vector<Account>& before,
                                    const std::vector<Transfer>& transfers, int threads) {
  SCOPED_TRACE("with " + std::to_string(before.size()) + " accounts, " +
               std::to_string(transfers.size()) +
               " transfers, num_threads = " + std::to_string(threads));
  std::vector<Account> accounts = before;
  std::vector<Receipt> receipts = lab::Poisoned<Receipt>(transfers.size());
  transfer_all(accounts, transfers, threads, receipts);
  Replay replay(before, transfers, receipts);
  const std::vector<Account>& want = replay.Run();
  for (std::size_t a = 0; a < accounts.size(); ++a) {
    EXPECT_EQ(accounts[a].balance, want[a].balance) << "accounts[" << a << "] after all";
    EXPECT_EQ(accounts[a].version, want[a].version) << "accounts[" << a << "] after all";
  }
  return receipts;
}

}  // namespace pthreads_sync
