// Your solution to the lab "Locks from atomics": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in locks.h; the idea is in README.md.

#include "labs/cpu_locks/locks.h"

#include <thread>

#include "common/lab/not_written.h"

void RunWithSpinLock([[maybe_unused]] std::span<const Job> jobs, [[maybe_unused]] int num_threads,
                     [[maybe_unused]] std::span<Ledger> ledger,
                     [[maybe_unused]] std::span<Visit> visits) {
  LAB_NOT_WRITTEN();
}

void RunWithTicketLock([[maybe_unused]] std::span<const Job> jobs, [[maybe_unused]] int num_threads,
                       [[maybe_unused]] std::span<Ledger> ledger,
                       [[maybe_unused]] std::span<Visit> visits) {
  LAB_NOT_WRITTEN();
}

void RunThroughRing([[maybe_unused]] std::span<const Order> orders, [[maybe_unused]] int pairs,
                    [[maybe_unused]] std::span<Item> slots, [[maybe_unused]] std::span<Use> uses) {
  LAB_NOT_WRITTEN();
}

std::uint64_t CountEvents([[maybe_unused]] std::span<const Event> events,
                          [[maybe_unused]] int num_threads,
                          [[maybe_unused]] std::span<Receipt> receipts) {
  LAB_NOT_WRITTEN();
}

void RunWithPool([[maybe_unused]] std::span<const Step> steps, [[maybe_unused]] int num_threads,
                 [[maybe_unused]] std::span<Block> blocks,
                 [[maybe_unused]] std::span<Grant> grants) {
  LAB_NOT_WRITTEN();
}
