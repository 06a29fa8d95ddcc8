// Loads from and stores to global memory: patterns, widths, masks.
#pragma once

#include "case.h"

__global__ void LoadCoalesced(Memory m) { m.out[GlobalIndex()] = m.floats[GlobalIndex()]; }

__global__ void LoadShiftedByOne(Memory m) { m.out[GlobalIndex()] = m.floats[GlobalIndex() + 1]; }

__global__ void LoadShiftedByEight(Memory m) { m.out[GlobalIndex()] = m.floats[GlobalIndex() + 8]; }

__global__ void LoadStride2(Memory m) { m.out[GlobalIndex()] = m.floats[GlobalIndex() * 2]; }

__global__ void LoadStride3(Memory m) { m.out[GlobalIndex()] = m.floats[GlobalIndex() * 3]; }

__global__ void LoadStride8(Memory m) { m.out[GlobalIndex()] = m.floats[GlobalIndex() * 8]; }

__global__ void LoadStride33(Memory m) { m.out[GlobalIndex()] = m.floats[GlobalIndex() * 33]; }

__global__ void LoadReversed(Memory m) {
  m.out[GlobalIndex()] = m.floats[kElements - 1 - GlobalIndex()];
}

__global__ void LoadBroadcast(Memory m) { m.out[GlobalIndex()] = m.floats[blockIdx.x]; }

__global__ void LoadScattered(Memory m) { m.out[GlobalIndex()] = m.floats[m.ints[GlobalIndex()]]; }

__global__ void LoadBytes(Memory m) {
  m.out[GlobalIndex()] = reinterpret_cast<const signed char*>(m.ints)[GlobalIndex()];
}

__global__ void LoadShorts(Memory m) {
  m.out[GlobalIndex()] = reinterpret_cast<const short*>(m.ints)[GlobalIndex()];
}

__global__ void LoadFloat2(Memory m) {
  const float2 v = reinterpret_cast<const float2*>(m.floats)[GlobalIndex()];
  m.out[GlobalIndex()] = v.x + v.y;
}

__global__ void CopyFloat4(Memory m) {
  const float4 v = reinterpret_cast<const float4*>(m.floats)[GlobalIndex()];
  reinterpret_cast<float4*>(m.out)[GlobalIndex()] = v;
}

__global__ void StoreDoubles(Memory m) { m.doubles[GlobalIndex()] = GlobalIndex(); }

__global__ void StoreStride2(Memory m) { m.out[GlobalIndex() * 2] = 1; }

__global__ void StoreStride32(Memory m) { m.out[GlobalIndex() * 32] = 1; }

__global__ void StoreScattered(Memory m) { m.out[m.ints[GlobalIndex()]] = 1; }

__global__ void StoreBytes(Memory m) {
  reinterpret_cast<signed char*>(m.counts)[GlobalIndex()] = 1;
}

__global__ void EvenLanesOnly(Memory m) {
  if (threadIdx.x % 2 == 0) m.out[GlobalIndex()] = m.floats[GlobalIndex()];
}

__global__ void FirstLaneOnly(Memory m) {
  if (threadIdx.x % 32 == 0) m.out[GlobalIndex()] = m.floats[GlobalIndex()];
}

__global__ void FirstLanesOnly(Memory m) {
  if (threadIdx.x % 32 < 5) m.out[GlobalIndex()] = m.floats[GlobalIndex()];
}

inline const Case kGlobalCases[] = {
    CASE(LoadCoalesced, 8, 256),  CASE(LoadShiftedByOne, 8, 256), CASE(LoadShiftedByEight, 8, 256),
    CASE(LoadStride2, 8, 256),    CASE(LoadStride3, 8, 256),      CASE(LoadStride8, 8, 256),
    CASE(LoadStride33, 4, 256),   CASE(LoadReversed, 8, 256),     CASE(LoadBroadcast, 8, 256),
    CASE(LoadScattered, 8, 256),  CASE(LoadBytes, 8, 256),        CASE(LoadShorts, 8, 256),
    CASE(LoadFloat2, 8, 256),     CASE(CopyFloat4, 8, 256),       CASE(StoreDoubles, 8, 256),
    CASE(StoreStride2, 8, 256),   CASE(StoreStride32, 8, 256),    CASE(StoreScattered, 8, 256),
    CASE(StoreBytes, 8, 256),     CASE(EvenLanesOnly, 8, 256),    CASE(FirstLaneOnly, 8, 256),
    CASE(FirstLanesOnly, 8, 100),
};
