// Lanes of a warp that exchange values.
#include "common/cudasim/tests/correct/correct.h"

namespace {

constexpr unsigned kAll = 0xffffffffu;

template <class Kernel>
bool Fills(Kernel kernel, int threads, int (*expected)(int)) {
  const DeviceArray<int> out(threads);
  kernel<<<1, threads>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < threads; ++t) {
    if (got[t] != expected(t)) return false;
  }
  return true;
}

__global__ void Broadcast(int* out) { out[threadIdx.x] = __shfl_sync(kAll, threadIdx.x * 3, 5); }

__global__ void Butterfly(int* out) {
  int value = static_cast<int>(threadIdx.x * 7 % 32);
  for (int mask = 16; mask > 0; mask /= 2) value = max(value, __shfl_xor_sync(kAll, value, mask));
  out[threadIdx.x] = value;
}

__global__ void Reverse(int* out) {
  out[threadIdx.x] = __shfl_sync(kAll, static_cast<int>(threadIdx.x), 31 - threadIdx.x % 32);
}

__global__ void Segments(int* out) {
  out[threadIdx.x] = __shfl_down_sync(kAll, static_cast<int>(threadIdx.x), 2, 8);
}

// Both halves of a warp, each with its own mask, in different branches.
__global__ void Halves(int* out) {
  const int lane = threadIdx.x;
  int value = lane;
  if (lane < 16) {
    for (int mask = 8; mask > 0; mask /= 2) value += __shfl_xor_sync(0x0000ffffu, value, mask);
  } else {
    for (int mask = 8; mask > 0; mask /= 2) {
      value = max(value, __shfl_xor_sync(0xffff0000u, value, mask));
    }
  }
  out[lane] = value;
}

// Lanes write, synchronise, and read what the others wrote.
__global__ void ThroughSharedMemory(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x, warp = t / 32 * 32;
  for (int round = 0; round < 3; ++round) {
    tile[t] = round == 0 ? t : tile[t] + 1;
    __syncwarp();
    const int next = tile[warp + (t + 1) % 32];
    __syncwarp();
    tile[t] = next;
    __syncwarp();
  }
  out[t] = tile[t];
}

// Lanes diverge and reconverge.
__global__ void PartAndMeet(int* out) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  if (lane % 2 == 0) {
    tile[lane] = lane * 10;
  } else {
    tile[lane] = lane * 100;
  }
  __syncwarp();
  out[lane] = tile[lane ^ 1];
}

__global__ void VoteInBranch(int* out) {
  const int lane = threadIdx.x;
  const unsigned odd = __ballot_sync(kAll, lane % 2 == 1);
  if (lane % 2 == 1) {
    out[lane] = __any_sync(odd, lane == 7) + 2 * __all_sync(odd, lane % 2);
  } else {
    out[lane] = __popc(__ballot_sync(~odd, lane < 8));
  }
}

// The active lanes elect a leader that adds for all.
__global__ void Aggregate(int* count, int* out) {
  const int lane = threadIdx.x % 32;
  if (lane % 3 != 0) return;
  const unsigned active = __activemask();
  const int leader = __ffs(static_cast<int>(active)) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(count, __popc(active));
  base = __shfl_sync(active, base, leader);
  out[base + __popc(active & ((1u << lane) - 1))] = 1;
}

// The last steps of a reduction of before Volta, fixed: volatile accesses, ordered by __syncwarp().
__global__ void ReduceVolatile(int* out) {
  __shared__ volatile int part[64];
  part[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (unsigned step = 32; step > 0; step /= 2) {
    const int other = part[threadIdx.x + step];
    __syncwarp();
    part[threadIdx.x] = part[threadIdx.x] + other;
    __syncwarp();
  }
  if (threadIdx.x == 0) *out = part[0];
}

// A block that is no multiple of a warp.
__global__ void PartialWarp(int* out) {
  const unsigned mask = __ballot_sync(threadIdx.x < 32 ? kAll : 0x000000ffu, true);
  out[threadIdx.x] = __popc(mask);
}

bool BroadcastFromALane() {
  return Fills(Broadcast, 64, [](int t) { return t < 32 ? 15 : 111; });
}
bool ButterflyMaximum() {
  return Fills(Butterfly, 32, [](int) { return 31; });
}
bool ReversedLanes() {
  return Fills(Reverse, 64, [](int t) { return t / 32 * 32 + 31 - t % 32; });
}
bool SegmentsOfEightLanes() {
  return Fills(Segments, 32, [](int t) { return t % 8 < 6 ? t + 2 : t; });
}
bool HalfWarpsOnTheirOwn() {
  return Fills(Halves, 32, [](int t) { return t < 16 ? 120 : 31; });
}
bool LanesExchangeThroughSharedMemory() {
  return Fills(ThroughSharedMemory, 64, [](int t) { return t / 32 * 32 + (t + 3) % 32 + 2; });
}
bool DivergedLanesMeet() {
  return Fills(PartAndMeet, 32, [](int t) { return (t ^ 1) * (t % 2 == 0 ? 100 : 10); });
}
bool VotesInBranches() {
  return Fills(VoteInBranch, 32, [](int t) { return t % 2 == 1 ? 3 : 4; });
}
bool PartialLastWarp() {
  return Fills(PartialWarp, 40, [](int t) { return t < 32 ? 32 : 8; });
}

bool AggregatedAtomics() {
  const DeviceArray<int> count(1), out(22);
  Aggregate<<<1, 64>>>(count.get(), out.get());
  return count.ToHost()[0] == 22 && out.ToHost() == std::vector<int>(22, 1);
}

bool VolatileReductionWithSyncwarp() {
  const DeviceArray<int> out(1);
  ReduceVolatile<<<1, 64>>>(out.get());
  return out.ToHost()[0] == 64 * 63 / 2;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(
      argc, argv,
      {CASE(BroadcastFromALane), CASE(ButterflyMaximum), CASE(ReversedLanes),
       CASE(SegmentsOfEightLanes), CASE(HalfWarpsOnTheirOwn),
       CASE(LanesExchangeThroughSharedMemory), CASE(DivergedLanesMeet), CASE(VotesInBranches),
       CASE(PartialLastWarp), CASE(AggregatedAtomics), CASE(VolatileReductionWithSyncwarp)});
}
