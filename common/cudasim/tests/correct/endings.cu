// Programs that release all resources, each in its own way: check mode looks for leaks at their
// end.
#include "common/cudasim/tests/features/test.h"

namespace correct_endings {

void TakeAll() {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  int* memory = nullptr;
  cudaMalloc(&memory, 64);
  cudaMallocHost(&memory, 64);
  static int values[16];
  cudaHostRegister(values, sizeof(values), cudaHostRegisterDefault);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 16, 4);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  cudaMemPoolCreate(&pool, &properties);
}

bool AResetEndsEverything() {
  TakeAll();
  return cudaDeviceReset() == cudaSuccess;
}

bool EachHasItsCall() {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 16, 4);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  int* pinned = nullptr;
  cudaHostAlloc(&pinned, 64, cudaHostAllocMapped);
  int values[16];
  cudaHostRegister(values, sizeof(values), cudaHostRegisterDefault);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  cudaMemPoolCreate(&pool, &properties);
  return cudaDestroyTextureObject(texture) == cudaSuccess && cudaFreeArray(array) == cudaSuccess &&
         cudaFreeHost(pinned) == cudaSuccess && cudaHostUnregister(values) == cudaSuccess &&
         cudaMemPoolDestroy(pool) == cudaSuccess;
}

struct FreeAtExit {
  ~FreeAtExit() {
    if (stream == nullptr) return;
    cudaFree(memory);
    cudaStreamDestroy(stream);
  }
  int* memory = nullptr;
  cudaStream_t stream = nullptr;
} free_at_exit;

bool DestructorsOfStaticVariables() {
  cudaMalloc(&free_at_exit.memory, 4);
  cudaStreamCreate(&free_at_exit.stream);
  return true;
}

bool MemoryFreedInADestroyedStream() {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  int* memory = nullptr;
  cudaMallocAsync(&memory, 64, stream);
  cudaFreeAsync(memory, stream);
  return cudaStreamDestroy(stream) == cudaSuccess;
}

// Calls `program` in a process of its own, which then ends without a word.
void ExpectEnd(bool (*program)()) {
  EXPECT_EXIT(std::exit(program() && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1),
              testing::ExitedWithCode(0), "^$");
}

TEST(EndingsDeathTest, AResetEndsEverything) { ExpectEnd(AResetEndsEverything); }
TEST(EndingsDeathTest, EachHasItsCall) { ExpectEnd(EachHasItsCall); }
TEST(EndingsDeathTest, DestructorsOfStaticVariables) { ExpectEnd(DestructorsOfStaticVariables); }
TEST(EndingsDeathTest, MemoryFreedInADestroyedStream) { ExpectEnd(MemoryFreedInADestroyedStream); }

}  // namespace correct_endings
