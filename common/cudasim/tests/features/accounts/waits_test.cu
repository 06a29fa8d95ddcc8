// Dependences through memory lengthen the span of a launch if a thread waits, and only then.
#include <cstdint>

#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr unsigned kThreads = 2048;

// The span of a launch for kThreads threads in blocks of 128, and what it stored.
template <class Word, class Kernel>
std::uint64_t SpanOf(Kernel kernel, std::vector<unsigned>* values = nullptr) {
  DeviceVector<unsigned> sums(kThreads);
  DeviceVector<Word> word(kThreads);
  simulatorResetProfile();
  const std::uint64_t before = cudasim::CallSpan();
  kernel<<<kThreads / 128, 128>>>(sums.get(), word.get());
  EXPECT_OK(cudaDeviceSynchronize());
  if (values != nullptr) *values = sums.ToHost();
  return cudasim::CallSpan() - before;
}

__device__ unsigned OwnNumber() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Each thread waits for the one before it, in a word that all write.
__global__ void PassBaton(unsigned* sums, unsigned long long* baton) {
  const volatile unsigned long long* const seen = baton;
  unsigned long long now = *seen;
  while (now >> 32 != OwnNumber()) now = *seen;
  const unsigned sum = static_cast<unsigned>(now) + OwnNumber();
  sums[OwnNumber()] = sum;
  atomicExch(baton, (OwnNumber() + 1ull) << 32 | sum);
}

// The same by adding: the word is read and written by atomic operations that change it.
__global__ void TakeTurns(unsigned* sums, unsigned* turn) {
  while (atomicAdd(turn, 0) != OwnNumber()) {
  }
  sums[OwnNumber()] = OwnNumber() * (OwnNumber() + 1) / 2;
  atomicAdd(turn, 1);
}

__global__ void Lock(unsigned* sums, int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  sums[OwnNumber()] = OwnNumber() * (OwnNumber() + 1) / 2;
  atomicExch(lock, 0);
}

TEST(WaitsTest, AChainOfThreadsThatWaitForEachOtherIsSerial) {
  std::vector<unsigned> sums;
  EXPECT_GE(SpanOf<unsigned long long>(PassBaton, &sums), 2 * kThreads);
  EXPECT_EQ(sums.back(), kThreads * (kThreads - 1) / 2);
  EXPECT_GE(SpanOf<unsigned>(TakeTurns, &sums), 2 * kThreads);
  EXPECT_EQ(sums.back(), kThreads * (kThreads - 1) / 2);
}

TEST(WaitsTest, ThreadsThatQueueForALockAreSerial) { EXPECT_GE(SpanOf<int>(Lock), 2 * kThreads); }

// Each block begins when the one before it is done; a thread polls.
__global__ void BlocksInTurn(unsigned* sums, unsigned* turn) {
  const volatile unsigned* const seen = turn;
  while (threadIdx.x == 0 && *seen != blockIdx.x) {
  }
  __syncthreads();
  sums[OwnNumber()] = OwnNumber();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(turn, blockIdx.x + 1);
}

// The same, but a warp votes on what it has seen.
__global__ void WarpsInTurn(unsigned* sums, unsigned* turn) {
  const volatile unsigned* const seen = turn;
  if (threadIdx.x < 32) {
    while (__any_sync(~0u, threadIdx.x == 0 && *seen != blockIdx.x) != 0) {
    }
  }
  __syncthreads();
  sums[OwnNumber()] = OwnNumber();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(turn, blockIdx.x + 1);
}

TEST(WaitsTest, BlocksThatWaitForTheOneBeforeAreSerial) {
  constexpr unsigned kBlocks = kThreads / 128;
  for (const auto kernel : {BlocksInTurn, WarpsInTurn}) {
    const std::uint64_t span = SpanOf<unsigned>(kernel);
    EXPECT_GE(span, 4 * kBlocks);
    // Polling itself takes no time.
    EXPECT_LE(span, 20 * kBlocks);
  }
}

__global__ void DrawTickets(unsigned* sums, unsigned* counter) {
  sums[atomicAdd(counter, 1)] = OwnNumber();
}

// As a search marks the vertices that it has found.
__global__ void Claim(unsigned* sums, unsigned* words) {
  for (unsigned i = 0; i < 8; ++i) {
    unsigned* const word = &words[OwnNumber() * (2 * i + 1) % kThreads];
    if (*static_cast<volatile unsigned*>(word) == 0 && atomicCAS(word, 0, 1) == 0) {
      sums[OwnNumber()] = i;
    }
  }
}

TEST(WaitsTest, CountersAndMarksOrderNothing) {
  EXPECT_LT(SpanOf<unsigned>(DrawTickets), 50);
  EXPECT_LT(SpanOf<unsigned>(Claim), 200);
}

// Decoupled look-back, a thread for each tile: 1 in the upper half is a tile's own sum, 2 that of
// all tiles up to it.
__global__ void LookBack(unsigned* sums, unsigned long long* published) {
  volatile unsigned long long* const words = published;
  if (threadIdx.x != 0) return;
  const unsigned own = blockIdx.x + 1;
  words[blockIdx.x] = (blockIdx.x == 0 ? 2ull : 1ull) << 32 | own;
  unsigned before = 0;
  for (unsigned tile = blockIdx.x; tile-- > 0;) {
    unsigned long long word = words[tile];
    while (word >> 32 == 0) word = words[tile];
    before += static_cast<unsigned>(word);
    if (word >> 32 == 2) break;
  }
  if (blockIdx.x != 0) words[blockIdx.x] = 2ull << 32 | (before + own);
  sums[blockIdx.x] = before + own;
}

TEST(WaitsTest, ALookBackGoesOnWithWhatOtherBlocksHadStoredByThen) {
  std::vector<unsigned> sums;
  constexpr unsigned kTiles = kThreads / 128;
  // Each block adds the sums of the others, all at the same time: no chain of twice that length.
  EXPECT_LT(SpanOf<unsigned long long>(LookBack, &sums), 10 * kTiles);
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    EXPECT_EQ(sums[tile], (tile + 1) * (tile + 2) / 2);
  }
}

// Two words are polled in turn, and both are stored later than the polls.
__global__ void PollTwoWords(unsigned* sums, unsigned* words) {
  volatile unsigned* const seen = words;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (unsigned i = 0; i < 100; ++i) sums[0] += i;
    atomicExch(&words[1], 1);
    for (unsigned i = 0; i < 100; ++i) sums[0] += i;
    atomicExch(&words[0], 1);
  } else {
    while (seen[0] != 1 && seen[1] != 2) {
    }
    sums[OwnNumber()] = 1;
  }
}

TEST(WaitsTest, AThreadThatPollsTwoWordsSeesBothInTime) {
  const std::uint64_t span = SpanOf<unsigned>(PollTwoWords);
  EXPECT_GE(span, 200u);
  EXPECT_LE(span, 600u);
}

// Blocks that stay and take work until none is left.
__global__ void TakeTickets(unsigned* sums, unsigned* taken) {
  __shared__ unsigned ticket;
  while (true) {
    if (threadIdx.x == 0) ticket = atomicAdd(taken, 1);
    __syncthreads();
    if (ticket >= 10 * gridDim.x) return;
    for (unsigned i = 0; i < (ticket + 1) * 2; ++i) sums[OwnNumber()] += i;
    __syncthreads();
  }
}

TEST(WaitsTest, BlocksThatStayShareTheTickets) {
  // Tickets take 2, 4, ... 320 rounds: 25,760 in all, 1,610 for each of the 16 blocks.
  const std::uint64_t span = SpanOf<unsigned>(TakeTickets);
  EXPECT_GE(span, 3 * 1610u);
  EXPECT_LE(span, 6 * 1610u);
}

}  // namespace
