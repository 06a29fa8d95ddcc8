// cuda::atomic and cuda::atomic_ref: orders and scopes.
#include <cuda/atomic>

#include "common/cudasim/tests/memory_model/memory_model.h"

namespace libcu {

constexpr auto kRelaxed = cuda::memory_order_relaxed;
constexpr auto kAcquire = cuda::memory_order_acquire;
constexpr auto kRelease = cuda::memory_order_release;
constexpr auto kBoth = cuda::memory_order_acq_rel;
constexpr auto kStrict = cuda::memory_order_seq_cst;
constexpr auto kOfBlock = cuda::thread_scope_block;
constexpr auto kOfDevice = cuda::thread_scope_device;
constexpr auto kOfSystem = cuda::thread_scope_system;

using Order = cuda::memory_order;
using Scope = cuda::thread_scope;

template <Scope kScope, Order kStore, Order kLoad>
__global__ void HandOver(int* data, int* word, int* out) {
  const cuda::atomic_ref<int, kScope> flag(*word);
  if (IsFirst()) {
    *data = 42;
    flag.store(1, kStore);
  } else if (IsLast()) {
    while (flag.load(kLoad) == 0) __nanosleep(20);
    *out = *data;
  }
}

template <class Threads, Scope kScope, Order kStore, Order kLoad>
void Run() {
  int* const memory = Zeros(96);
  HandOver<kScope, kStore, kLoad>
      <<<Threads::kBlocks, Threads::kThreads>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
}

template <Scope kWriter, Scope kReader>
__global__ void HandOverByFences(int* data, int* word, int* out) {
  const cuda::atomic_ref<int, kOfDevice> flag(*word);
  if (IsFirst()) {
    *data = 42;
    cuda::atomic_thread_fence(kRelease, kWriter);
    flag.store(1, kRelaxed);
  } else {
    while (flag.load(kRelaxed) == 0) __nanosleep(20);
    cuda::atomic_thread_fence(kAcquire, kReader);
    *out = *data;
  }
}

template <Scope kWriter, Scope kReader>
void RunFences() {
  int* const memory = Zeros(96);
  HandOverByFences<kWriter, kReader><<<2, 1>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
}

template <Scope kScope>
__global__ void Count(int* word) {
  cuda::atomic_ref<int, kScope>(*word).fetch_add(1, kRelaxed);
}

template <class Threads, Scope kScope>
void RunCount() {
  int* const word = Zeros(1);
  Count<kScope><<<Threads::kBlocks, Threads::kThreads>>>(word);
  cudaFree(word);
}

template <Order kTake, Order kGive>
__global__ void AddUnderLock(int* word, int* total) {
  const cuda::atomic_ref<int, kOfDevice> lock(*word);
  while (lock.exchange(1, kTake) != 0) __nanosleep(20);
  *total += 1;
  lock.store(0, kGive);
}

template <Order kTake, Order kGive>
void RunLock() {
  int* const memory = Zeros(64);
  AddUnderLock<kTake, kGive><<<2, 1>>>(memory, memory + 32);
  cudaFree(memory);
}

// The count of arrivals releases each part and acquires those before.
template <Order kOrder, Scope kScope>
__global__ void LastAddsUp(int* parts, int* word, int* sum) {
  parts[blockIdx.x] = 1;
  const cuda::atomic_ref<int, kScope> done(*word);
  if (done.fetch_add(1, kOrder) != 3) return;
  for (int i = 0; i < 4; ++i) *sum += parts[i];
}

template <Order kOrder, Scope kScope>
void RunLast() {
  int* const memory = Zeros(96);
  LastAddsUp<kOrder, kScope><<<4, 1>>>(memory, memory + 32, memory + 64);
  cudaFree(memory);
}

// A flag in shared memory, an object of the class itself.
template <Order kStore>
__global__ void HandOverInBlock(int* out) {
  __shared__ int data;
  __shared__ cuda::atomic<int, kOfBlock> flag;
  if (threadIdx.x == 0) flag.store(0, kRelaxed);
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 42;
    flag.store(1, kStore);
  } else if (threadIdx.x == 32) {
    while (flag.load(kAcquire) == 0) __nanosleep(20);
    *out = data;
  }
}

template <Order kStore>
void RunInBlock() {
  int* const out = Zeros(1);
  HandOverInBlock<kStore><<<1, 64>>>(out);
  cudaFree(out);
}

template <bool kAtomic>
__global__ void ReadBesideStore(int* word, int* out) {
  const cuda::atomic_ref<int, kOfDevice> flag(*word);
  if (IsFirst()) flag.store(1, kRelaxed);
  if (IsLast()) *out = kAtomic ? flag.load(kRelaxed) : *word;
}

template <bool kAtomic>
void RunBeside() {
  int* const memory = Zeros(64);
  ReadBesideStore<kAtomic><<<2, 1>>>(memory, memory + 32);
  cudaFree(memory);
}

constexpr char kPatterns[] = "Release and Acquire Patterns";
constexpr char kScopes[] = "Scope";
constexpr char kStrong[] = "Morally Strong Operations";
constexpr char kRaces[] = "Conflict and Data-races";
constexpr char kCausality[] = "Causality Order";

const bool listed =
    AddPairs({{kPatterns,
               {"StoreRelease", Run<TwoBlocks, kOfDevice, kRelease, kAcquire>},
               {"StoreRelaxed", Run<TwoBlocks, kOfDevice, kRelaxed, kAcquire>}},
              {kPatterns,
               {"LoadAcquire", Run<TwoBlocks, kOfDevice, kRelease, kAcquire>},
               {"LoadRelaxed", Run<TwoBlocks, kOfDevice, kRelease, kRelaxed>}},
              {kPatterns,
               {"SeqCst", Run<TwoBlocks, kOfSystem, kStrict, kStrict>},
               {"Relaxed", Run<TwoBlocks, kOfSystem, kRelaxed, kRelaxed>}},
              {kScopes,
               {"ScopeDevice", Run<TwoBlocks, kOfDevice, kRelease, kAcquire>},
               {"ScopeBlock", Run<TwoBlocks, kOfBlock, kRelease, kAcquire>}},
              {kScopes,
               {"ScopeBlockInOneBlock", Run<TwoWarps, kOfBlock, kRelease, kAcquire>},
               {"ScopeBlockInTwoBlocks", Run<TwoBlocks, kOfBlock, kStrict, kStrict>}},
              {kPatterns,
               {"WarpsRelease", Run<TwoWarps, kOfBlock, kRelease, kAcquire>},
               {"WarpsRelaxed", Run<TwoWarps, kOfBlock, kRelaxed, kAcquire>}},
              {kScopes,
               {"FencesOfDevice", RunFences<kOfDevice, kOfDevice>},
               {"WriterFenceOfBlock", RunFences<kOfBlock, kOfDevice>}},
              {kScopes,
               {"FencesOfSystem", RunFences<kOfSystem, kOfSystem>},
               {"ReaderFenceOfBlock", RunFences<kOfSystem, kOfBlock>}},
              {kStrong,
               {"CountOfDevice", RunCount<TwoBlocks, kOfDevice>},
               {"CountOfBlock", RunCount<TwoBlocks, kOfBlock>}},
              {kStrong,
               {"CountOfBlockInOneBlock", RunCount<TwoWarps, kOfBlock>},
               {"CountOfBlockInTwoBlocks", RunCount<TwoBlocks, kOfBlock>}},
              {kCausality,
               {"LockAcquiresReleases", RunLock<kAcquire, kRelease>},
               {"LockReleasesOnly", RunLock<kRelaxed, kRelease>}},
              {kCausality,
               {"LockOfBoth", RunLock<kBoth, kRelease>},
               {"LockAcquiresOnly", RunLock<kAcquire, kRelaxed>}},
              {kCausality,
               {"LastAcquires", RunLast<kBoth, kOfDevice>},
               {"LastOfRelaxed", RunLast<kRelaxed, kOfDevice>}},
              {kCausality,
               {"LastOfSystem", RunLast<kBoth, kOfSystem>},
               {"LastOfBlock", RunLast<kBoth, kOfBlock>}},
              {kPatterns,
               {"SharedObjectReleases", RunInBlock<kRelease>},
               {"SharedObjectRelaxed", RunInBlock<kRelaxed>}},
              {kRaces, {"AtomicLoad", RunBeside<true>}, {"PlainLoad", RunBeside<false>}}});

}  // namespace libcu
