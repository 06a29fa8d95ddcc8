#include "common/mpi/observe/board.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include <stdexcept>

namespace lab::mpi {
namespace {

Board& MakeBoard() {
  // Zeros are its first state.
  void* const memory =
      mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::runtime_error(
        "error: no memory for the ranks' board\n  next: close other programs, then run it again");
  }
  return *static_cast<Board*>(memory);
}

}  // namespace

Board& TheBoard() {
  static Board& board = MakeBoard();
  return board;
}

void ResetBoard() { memset(static_cast<void*>(&TheBoard()), 0, sizeof(Board)); }

BoardLock::BoardLock() {
  while (TheBoard().lock.exchange(1, std::memory_order_acquire) != 0) sched_yield();
}

BoardLock::~BoardLock() { TheBoard().lock.store(0, std::memory_order_release); }

}  // namespace lab::mpi
