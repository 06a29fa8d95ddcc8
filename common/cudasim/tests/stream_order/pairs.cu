// Pairs of programs with streams, one with a synchronisation and one without it or with it in the
// wrong place.  `PROGRAM list` prints the names, `PROGRAM NAME` runs one.
#include "common/cudasim/tests/stream_order/pair_programs.h"

namespace order_of_pairs {

volatile int sink;

__global__ void Copy(int* to, const int* from) { to[threadIdx.x] = from[threadIdx.x]; }

void Launch(int* to, const int* from, cudaStream_t stream) {
  Copy<<<1, kCount, 0, stream>>>(to, from);
}

void CopyIn(int* device, const int* host, cudaStream_t stream) {
  cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, stream);
}

void CopyOut(int* host, const int* device, cudaStream_t stream) {
  cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
}

__constant__ int factors[kCount];

__global__ void Scale(int* out) { out[threadIdx.x] *= factors[threadIdx.x]; }

void SetFactors(const int* host, cudaStream_t stream) {
  cudaMemcpyToSymbolAsync(factors, host, kBytes, 0, cudaMemcpyHostToDevice, stream);
}

using Resources = Buffers;

template <bool kRight>
void HostReadsAResult(Resources& r) {
  CopyOut(r.host_out, r.out, r.first);
  cudaStreamSynchronize(kRight ? r.first : r.second);
  sink = r.host_out[0];
}

template <bool kRight>
void HostWaitsForAnEvent(Resources& r) {
  if (!kRight) cudaEventRecord(r.event, r.first);
  CopyOut(r.host_out, r.out, r.first);
  if (kRight) cudaEventRecord(r.event, r.first);
  cudaEventSynchronize(r.event);
  sink = r.host_out[kCount - 1];
}

template <bool kRight>
void HostRefillsABuffer(Resources& r) {
  CopyIn(r.in, r.host_in, r.first);
  if (kRight) cudaStreamSynchronize(r.first);
  r.host_in[0] = 1;
}

template <bool kRight>
void KernelWaitsForItsInput(Resources& r) {
  CopyIn(r.in, r.host_in, r.first);
  if (kRight) r.Order(r.first, r.second);
  Launch(r.out, r.in, r.second);
}

template <bool kRight>
void CopyWaitsForTheKernelThatReadsTheBuffer(Resources& r) {
  Launch(r.out, r.in, r.second);
  if (kRight) r.Order(r.second, r.first);
  CopyIn(r.in, r.host_in, r.first);
}

template <bool kRight>
void CopyOutWaitsForTheKernel(Resources& r) {
  Launch(r.out, r.in, r.first);
  if (kRight) r.Order(r.first, r.second);
  CopyOut(r.host_out, r.out, r.second);
}

template <bool kRight>
void KernelWaitsForTheCopyOutOfItsBuffer(Resources& r) {
  CopyOut(r.host_out, r.out, r.second);
  if (kRight) r.Order(r.second, r.first);
  Launch(r.out, r.in, r.first);
}

// The wait comes too late for the launch in front of it.
template <bool kRight>
void TheWaitStandsInFront(Resources& r) {
  CopyIn(r.in, r.host_in, r.first);
  cudaEventRecord(r.event, r.first);
  if (kRight) cudaStreamWaitEvent(r.second, r.event);
  Launch(r.out, r.in, r.second);
  if (!kRight) cudaStreamWaitEvent(r.second, r.event);
}

// A stream waits for what an event marks at the time of the call.
template <bool kRight>
void TheEventIsRecordedFirst(Resources& r) {
  CopyIn(r.in, r.host_in, r.first);
  if (!kRight) cudaStreamWaitEvent(r.second, r.event);
  cudaEventRecord(r.event, r.first);
  if (kRight) cudaStreamWaitEvent(r.second, r.event);
  Launch(r.out, r.in, r.second);
}

void FillBuffer(void* buffer) { static_cast<int*>(buffer)[0] = 5; }

template <bool kRight>
void HostFunctionWaitsForTheCopy(Resources& r) {
  CopyIn(r.in, r.host_in, r.first);
  if (kRight) r.Order(r.first, r.second);
  cudaLaunchHostFunc(r.second, FillBuffer, r.host_in);
}

template <bool kRight>
void CopyWaitsForTheHostFunction(Resources& r) {
  cudaLaunchHostFunc(r.first, FillBuffer, r.host_in);
  if (kRight) r.Order(r.first, r.second);
  CopyIn(r.in, r.host_in, r.second);
}

template <bool kRight>
void HostWaitsForAPrefetch(Resources& r) {
  Launch(r.managed, r.in, r.first);
  cudaMemPrefetchAsync(r.managed, kBytes, cudaCpuDeviceId, r.first);
  if (kRight) cudaStreamSynchronize(r.first);
  sink = r.managed[0];
}

template <bool kRight>
void KernelWaitsForItsConstants(Resources& r) {
  SetFactors(r.host_in, r.first);
  if (kRight) r.Order(r.first, r.second);
  Scale<<<1, kCount, 0, r.second>>>(r.out);
}

template <bool kRight>
void ConstantsWaitForTheKernel(Resources& r) {
  Scale<<<1, kCount, 0, r.second>>>(r.out);
  if (kRight) r.Order(r.second, r.first);
  SetFactors(r.host_in, r.first);
}

// The legacy default stream orders itself with blocking streams only.
template <bool kRight>
void TheDefaultStreamOrders(Resources& r) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, kRight ? cudaStreamDefault : cudaStreamNonBlocking);
  CopyIn(r.in, r.host_in, nullptr);
  Launch(r.out, r.in, stream);
  cudaStreamDestroy(stream);
}

template <bool kIsAtomic>
__global__ void Count(int* counts) {
  if (kIsAtomic) {
    atomicAdd(&counts[threadIdx.x], 1);
  } else {
    atomicAdd_block(&counts[threadIdx.x], 1);
  }
}

// Kernels of two streams may update the same words by atomic operations for the whole device.
template <bool kRight>
void KernelsCountTogether(Resources& r) {
  Count<kRight><<<1, kCount, 0, r.first>>>(r.out);
  Count<true><<<1, kCount, 0, r.second>>>(r.out);
}

const bool listed = AddPairs(
    {PAIR(HostReadsAResult), PAIR(HostWaitsForAnEvent), PAIR(HostRefillsABuffer),
     PAIR(KernelWaitsForItsInput), PAIR(CopyWaitsForTheKernelThatReadsTheBuffer),
     PAIR(CopyOutWaitsForTheKernel), PAIR(KernelWaitsForTheCopyOutOfItsBuffer),
     PAIR(TheWaitStandsInFront), PAIR(TheEventIsRecordedFirst), PAIR(HostFunctionWaitsForTheCopy),
     PAIR(CopyWaitsForTheHostFunction), PAIR(HostWaitsForAPrefetch),
     PAIR(KernelWaitsForItsConstants), PAIR(ConstantsWaitForTheKernel),
     PAIR(TheDefaultStreamOrders), PAIR(KernelsCountTogether)});

}  // namespace order_of_pairs
