#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/lab/checkpoint.h"

// What all five functions promise:
//
//  - They start their threads with pthread_create, as many as they are told to, and return after
//    all of these have ended. Nothing is kept for the next call.
//  - A thread that waits sleeps: in pthread_cond_wait or pthread_mutex_lock. It does not spin.
//    pthread_cond_wait may return without a signal, and in the tests it often does.
//  - Several callers may call at the same time, with outputs of their own. Spans do not overlap;
//    what an output held before is not read unless the function says so.
//
// Where a comment below says so, a thread calls lab::Checkpoint(rank). If the rank is 0, it passes.
// Else it is held there until all other threads are held or asleep, then those with the lowest rank
// go on: the tests choose the ranks, and so the order of events. It returns how many were held.

/// The work of this lab: `rounds` steps, each of which needs the result of the one before it. About
/// 2 ns each.
inline std::uint64_t Mix(std::uint64_t value, std::uint32_t rounds) {
  for (; rounds > 0; --rounds) {
    value = (value ^ value >> 29) * 0xbf58476d1ce4e5b9 + 0x9e3779b97f4a7c15;
  }
  return value;
}

/// What came of a piece of work, and how many threads were held at its checkpoint.
struct Visit {
  std::uint64_t value;
  std::uint64_t together;
};

/// An order is made by a producer and used by a consumer.
struct Order {
  std::uint64_t seed;
  std::uint32_t make_rounds;
  std::uint32_t use_rounds;
  std::uint32_t make_rank;
  std::uint32_t use_rank;
};

/// An item in the buffer: what was made, and for which order.
struct Item {
  std::uint64_t value;
  std::uint64_t order;
};

/// Hands items from producers to consumers through a bounded buffer, first in, first out.
///
/// Producer p serves the orders p, p + producers, p + 2 * producers, …, in this order. For order i
/// it calls lab::Checkpoint(orders[i].make_rank), makes the value Mix(seed, make_rounds), and puts
/// the item {value, i} into the buffer, waiting while the buffer is full. A consumer waits while
/// the buffer is empty, takes the oldest item out, calls lab::Checkpoint(orders[i].use_rank), and
/// sets uses[i] to {Mix(value, use_rounds), what the checkpoint returned}. Making and using happen
/// outside all locks. No consumer sleeps on while there is an item for it, and no producer while
/// there is room. Consumers end when all orders have been served.
///
/// @param orders     n >= 0 orders.
/// @param producers  how many threads make items, >= 1.
/// @param consumers  how many threads use items, >= 1.
/// @param slots      the buffer, of capacity slots.size() >= 1: the t-th item that is put in, from
///                   0, lies in slots[t % capacity], and stays there until it is overwritten.
/// @param taken      gets n order numbers: taken[t] is the order of the t-th item taken out.
/// @param uses       gets n results.
void RunPipeline(std::span<const Order> orders, int producers, int consumers, std::span<Item> slots,
                 std::span<std::uint32_t> taken, std::span<Visit> uses);

/// Work that needs a permit.
struct Job {
  std::uint64_t seed;
  std::uint32_t rounds;
  std::uint32_t rank;
};

/// Does jobs with a counting semaphore, made from a mutex and a condition variable, that lets at
/// most `permits` threads work at a time.
///
/// Thread t does the jobs t, t + num_threads, …, in this order. For job i it takes a permit (P),
/// waiting while there is none; calls lab::Checkpoint(jobs[i].rank); sets visits[i] to
/// {Mix(seed, rounds), what the checkpoint returned}; and gives the permit back (V). As many
/// threads as there are permits work at the same time: none sleeps while a permit is free.
///
/// @param jobs         n >= 0 jobs.
/// @param permits      the semaphore's initial value, >= 1. May be larger than num_threads.
/// @param num_threads  how many threads, >= 1. May be larger than n.
/// @param visits       gets n results.
void RunWithPermits(std::span<const Job> jobs, int permits, int num_threads,
                    std::span<Visit> visits);

/// The next value of a cell.
inline std::uint64_t NextCell(std::uint64_t left, std::uint64_t own, std::uint64_t right,
                              std::uint32_t rounds) {
  return Mix(left + 3 * own + 5 * right, rounds);
}

/// Lets a ring of cells take `steps` steps, all cells at once in each, with a reusable barrier made
/// from a mutex and a condition variable.
///
/// In a step each of the n cells becomes NextCell(left, own, right, rounds) of the values before
/// the step; the left neighbour of cell i is cell (i + n - 1) % n, the right one cell (i + 1) % n.
/// Each thread computes an equal share of the cells in every step, up to one cell. The threads are
/// started once, not once a step, and wait for each other at the barrier.
///
/// @param cells        n >= 0 cells, read and overwritten.
/// @param steps        >= 0.
/// @param rounds       how much work a cell is.
/// @param num_threads  how many threads, >= 1. May be larger than n.
void RunSteps(std::span<std::uint64_t> cells, std::size_t steps, std::uint32_t rounds,
              int num_threads);

/// What a thread wants of the table.
struct Request {
  std::uint64_t seed;
  std::uint32_t rounds;
  std::uint32_t writes;  // 1: it is a writer; 0: a reader
  std::uint32_t ask_rank;
  std::uint32_t inside_rank;
};

/// What a request got. `turn` counts reads and writes of the whole process in the order in which
/// they began.
struct Answer {
  std::uint64_t turn;
  std::uint64_t together;
  std::uint64_t value;
};

/// Calls of Read and Write so far.
inline std::atomic<std::uint64_t> turns{0};

/// The work of a reader. For threads that may read.
inline Answer Read(std::span<const std::uint64_t> table, const Request& request) {
  Answer answer{turns.fetch_add(1, std::memory_order_relaxed), 0, request.seed};
  answer.together = lab::Checkpoint(request.inside_rank);
  for (const std::uint64_t cell : table) answer.value = Mix(answer.value + cell, request.rounds);
  return answer;
}

/// The work of a writer. For a thread that may write.
inline Answer Write(std::span<std::uint64_t> table, const Request& request) {
  Answer answer{turns.fetch_add(1, std::memory_order_relaxed), 0, request.seed};
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (i == table.size() / 2) answer.together = lab::Checkpoint(request.inside_rank);
    table[i] = Mix(table[i] + request.seed, request.rounds);
  }
  return answer;
}

/// Serves readers and writers of one table.
///
/// Thread t serves the requests t, t + num_threads, …, in this order. For request i it calls
/// lab::Checkpoint(requests[i].ask_rank), waits until it may pass, and sets answers[i] to what Read
/// or, for a writer, Write returns. Who may pass:
///
///  - a writer, when nobody is inside;
///  - a reader, when no writer is inside and none is waiting.
///
/// So readers are inside together, a writer is alone, and a writer that waits goes before every
/// reader that has not yet passed: writers do not starve, readers may. Which of several waiting
/// writers is next is free. Nobody sleeps who may pass.
///
/// @param table        one or more cells, read and overwritten.
/// @param requests     n >= 0 requests.
/// @param num_threads  how many threads, >= 1. May be larger than n.
/// @param answers      gets n answers.
void ServeTable(std::span<std::uint64_t> table, std::span<const Request> requests, int num_threads,
                std::span<Answer> answers);

/// An account: what is on it, and how often it has taken part in a transfer.
struct Account {
  std::uint64_t balance;
  std::uint64_t version;
};

/// An order to move an amount, or what is there if that is less. `from` and `to` may be the same.
struct Transfer {
  std::uint64_t amount;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t rounds;
  std::uint32_t rank;
};

/// What a transfer did, and the versions that it found.
struct Receipt {
  std::uint64_t moved;
  std::uint64_t from_version;
  std::uint64_t to_version;
  std::uint64_t together;
  std::uint64_t seal;
};

/// The work of a transfer. For a thread that alone uses both accounts.
inline Receipt Move(Account& from, Account& to, const Transfer& transfer) {
  Receipt receipt{};
  receipt.from_version = from.version++;
  receipt.to_version = to.version++;
  receipt.together = lab::Checkpoint(transfer.rank);
  receipt.moved = std::min(transfer.amount, from.balance);
  from.balance -= receipt.moved;
  to.balance += receipt.moved;
  receipt.seal = Mix(from.balance ^ to.balance, transfer.rounds);
  return receipt;
}

/// Executes transfers, each as one step that nobody sees the middle of, with a mutex for each
/// account.
///
/// Thread t executes the transfers t, t + num_threads, …, in this order: it sets receipts[i] to
/// what Move returns, while it alone uses both accounts. Transfers that share no account run at the
/// same time. No order of the transfers may lead to a deadlock.
///
/// @param accounts     read and overwritten.
/// @param transfers    n >= 0 transfers; their accounts exist.
/// @param num_threads  how many threads, >= 1. May be larger than n.
/// @param receipts     gets n receipts.
void TransferAll(std::span<Account> accounts, std::span<const Transfer> transfers, int num_threads,
                 std::span<Receipt> receipts);
