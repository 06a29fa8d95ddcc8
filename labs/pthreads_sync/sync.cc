// Your solution to the lab "Waiting with pthreads": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in sync.h; the idea is in README.md.

#include "labs/pthreads_sync/sync.h"

#include <pthread.h>

#include "common/lab/not_written.h"

void RunPipeline([[maybe_unused]] std::span<const Order> orders, [[maybe_unused]] int producers,
                 [[maybe_unused]] int consumers, [[maybe_unused]] std::span<Item> slots,
                 [[maybe_unused]] std::span<std::uint32_t> taken,
                 [[maybe_unused]] std::span<Visit> uses) {
  LAB_NOT_WRITTEN();
}

void RunWithPermits([[maybe_unused]] std::span<const Job> jobs, [[maybe_unused]] int permits,
                    [[maybe_unused]] int num_threads, [[maybe_unused]] std::span<Visit> visits) {
  LAB_NOT_WRITTEN();
}

void RunSteps([[maybe_unused]] std::span<std::uint64_t> cells, [[maybe_unused]] std::size_t steps,
              [[maybe_unused]] std::uint32_t rounds, [[maybe_unused]] int num_threads) {
  LAB_NOT_WRITTEN();
}

void ServeTable([[maybe_unused]] std::span<std::uint64_t> table,
                [[maybe_unused]] std::span<const Request> requests,
                [[maybe_unused]] int num_threads, [[maybe_unused]] std::span<Answer> answers) {
  LAB_NOT_WRITTEN();
}

void TransferAll([[maybe_unused]] std::span<Account> accounts,
                 [[maybe_unused]] std::span<const Transfer> transfers,
                 [[maybe_unused]] int num_threads, [[maybe_unused]] std::span<Receipt> receipts) {
  LAB_NOT_WRITTEN();
}
