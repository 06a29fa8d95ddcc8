// Pairs of programs: one with a synchronisation, and one without it or with it in the wrong place.
#pragma once

#include <cuda_runtime.h>

#include <initializer_list>
#include <vector>

struct PairOfPrograms {
  const char* name;
  void (*right)();
  void (*wrong)();
};

inline std::vector<PairOfPrograms>& Pairs() {
  static std::vector<PairOfPrograms> pairs;
  return pairs;
}

inline bool AddPairs(std::initializer_list<PairOfPrograms> pairs) {
  Pairs().insert(Pairs().end(), pairs);
  return true;
}

constexpr int kCount = 64;
constexpr std::size_t kBytes = kCount * sizeof(int);

// Buffers, streams and an event, which are ready.
struct Buffers {
  Buffers() {
    cudaMalloc(&in, kBytes);
    cudaMalloc(&out, kBytes);
    cudaMallocHost(&host_in, kBytes);
    cudaMallocHost(&host_out, kBytes);
    cudaMallocManaged(&managed, kBytes);
    cudaMemset(in, 0, kBytes);
    cudaMemset(out, 0, kBytes);
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaDeviceSynchronize();
  }
  ~Buffers() {
    cudaDeviceSynchronize();
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(managed);
    cudaFreeHost(host_in);
    cudaFreeHost(host_out);
    cudaFree(in);
    cudaFree(out);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  // `to` waits for what `from` has until now.
  void Order(cudaStream_t from, cudaStream_t to) {
    cudaEventRecord(event, from);
    cudaStreamWaitEvent(to, event);
  }

  int* in = nullptr;
  int* out = nullptr;
  int* host_in = nullptr;
  int* host_out = nullptr;
  int* managed = nullptr;
  cudaStream_t first = nullptr;
  cudaStream_t second = nullptr;
  cudaEvent_t event = nullptr;
};

template <class Resources, void (*program)(Resources&)>
void RunWith() {
  Resources resources;
  program(resources);
}

// The file's struct Resources is what its programs use.
#define PAIR(function) \
  { #function, RunWith < Resources, function < true>>, RunWith < Resources, function < false>> }
