// The state of the call's account, for the files that keep it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/instrument/host_data.h"
#include "common/cudasim/instrument/marks.h"

namespace cudasim {

// A host operation of the call.  The copies of one source line share a number; each fill has its
// own, as each is charged once.
struct HostOperation {
  const char* call;    // "cudaMemcpyAsync"
  const void* caller;  // return address
  std::size_t width;   // of a fill's value; 0: a copy
};

struct Account {
  struct Input {  // an argument
    OffsetSpan span;
    bool is_read = false;
  };
  using Lock = std::lock_guard<std::recursive_mutex>;

  std::recursive_mutex mutex;  // never held while kernels run
  bool active = false;         // a call has begun and not ended
  bool counts = true;          // moved bytes are counted: not between calls
  std::vector<Input> inputs;
  std::vector<HostOperation> operations;         // number 1 first
  std::unordered_map<const void*, Mark> copies;  // the operations that copy, by their callers
  Marks heap;                                    // of device memory
  Marks variables;                               // of __device__ variables
  HostData host_data;
  HostOperation own_data{};  // that wrote the host's own data that kernels read last
  std::atomic<std::uint64_t> host_device_bytes{0};
  std::atomic<std::uint64_t> allocations{0};
};

Account& TheAccount();

inline void CountMoved(Account& account, std::size_t bytes) {
  if (account.counts) account.host_device_bytes += bytes;
}

// Returns the operation's number.
Mark AddOperation(Account& account, const HostOperation& operation);

// Where the marks of some memory are.
struct MarkedPlace {
  Marks* marks;  // null: the host's memory, __constant__ or __managed__ variables
  std::size_t offset;
};

MarkedPlace MarksOf(Account& account, const void* pointer);

// The heap's marks have changed: kernels' stores must test the new span.
void ShowMarked(const Account& account);

// An argument of the call, for what kernels must read.
void NoteHostData(Account& account, const Allocation& argument);

// What kernels read and what they wrote, if all inputs are the host's.
void AddHostData(const Account& account, CudasimCallAccount& sum);

}  // namespace cudasim
