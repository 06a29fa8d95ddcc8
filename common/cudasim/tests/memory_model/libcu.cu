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

template <Scope kScopes, Order kStore, Order kLoad>
__global__ void HandOver(int* data, int* word, int* out) {
  const cuda::atomic_ref<int, kScopes> flag(*word);
  if (IsFirst()) {
    *data = 42;
    flag.store(1, kStore);
  } else if (IsLast()) {
    while (flag.load(kLoad) == 0) __nanosleep(20);
    *out = *data;
  }
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

template <Scope kScopes>
__global__ void Count(int* word) {
  cuda::atomic_ref<int, kScopes>(*word).fetch_add(1, kRelaxed);
}

template <Order kTake, Order kGive>
__global__ void AddUnderLock(int* word, int* total) {
  const cuda::atomic_ref<int, kOfDevice> lock(*word);
  while (lock.exchange(1, kTake) != 0) __nanosleep(20);
  *total += 1;
  lock.store(0, kGive);
}

// The count of arrivals releases each part and acquires those before.
template <Order kOrder, Scope kScopes>
__global__ void LastAddsUp(int* parts, int* word, int* sum) {
  parts[blockIdx.x] = 1;
  const cuda::atomic_ref<int, kScopes> done(*word);
  if (done.fetch_add(1, kOrder) != 3) return;
  for (int i = 0; i < 4; ++i) *sum += parts[i];
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

template <bool kAtomic>
__global__ void ReadBesideStore(int* word, int* out) {
  const cuda::atomic_ref<int, kOfDevice> flag(*word);
  if (IsFirst()) flag.store(1, kRelaxed);
  if (IsLast()) *out = kAtomic ? flag.load(kRelaxed) : *word;
}

const bool listed = AddPairs(
    {PairOf<TwoBlocks, HandOver<kOfDevice, kRelease, kAcquire>,
            HandOver<kOfDevice, kRelaxed, kAcquire>>(kPatterns, "StoreRelease", "StoreRelaxed"),
     PairOf<TwoBlocks, HandOver<kOfDevice, kRelease, kAcquire>,
            HandOver<kOfDevice, kRelease, kRelaxed>>(kPatterns, "LoadAcquire", "LoadRelaxed"),
     PairOf<TwoBlocks, HandOver<kOfSystem, kStrict, kStrict>,
            HandOver<kOfSystem, kRelaxed, kRelaxed>>(kPatterns, "SeqCst", "Relaxed"),
     PairOf<TwoBlocks, HandOver<kOfDevice, kRelease, kAcquire>,
            HandOver<kOfBlock, kRelease, kAcquire>>(kScopes, "ScopeDevice", "ScopeBlock"),
     PairOf<TwoWarps, HandOver<kOfBlock, kRelease, kAcquire>,
            HandOver<kOfBlock, kRelaxed, kAcquire>>(kPatterns, "WarpsRelease", "WarpsRelaxed"),
     PairOf<TwoBlocks, HandOverByFences<kOfDevice, kOfDevice>,
            HandOverByFences<kOfBlock, kOfDevice>>(kScopes, "FencesOfDevice", "WriterFenceOfBlock"),
     PairOf<TwoBlocks, Count<kOfDevice>, Count<kOfBlock>>(kStrong, "CountOfDevice", "CountOfBlock"),
     PairOf<TwoBlocks, AddUnderLock<kAcquire, kRelease>, AddUnderLock<kRelaxed, kRelease>>(
         kCausality, "LockAcquiresReleases", "LockReleasesOnly"),
     PairOf<TwoBlocks, AddUnderLock<kBoth, kRelease>, AddUnderLock<kAcquire, kRelaxed>>(
         kCausality, "LockOfBoth", "LockAcquiresOnly"),
     PairOf<Shape<4, 1>, LastAddsUp<kBoth, kOfDevice>, LastAddsUp<kRelaxed, kOfDevice>>(
         kCausality, "LastAcquires", "LastOfRelaxed"),
     PairOf<Shape<4, 1>, LastAddsUp<kBoth, kOfSystem>, LastAddsUp<kBoth, kOfBlock>>(
         kCausality, "LastOfSystem", "LastOfBlock"),
     PairOf<TwoWarps, HandOverInBlock<kRelease>, HandOverInBlock<kRelaxed>>(
         kPatterns, "SharedObjectReleases", "SharedObjectRelaxed"),
     PairOf<TwoBlocks, ReadBesideStore<true>, ReadBesideStore<false>>(kRaces, "AtomicLoad",
                                                                      "PlainLoad")});

}  // namespace libcu
