// Programs that leak.
#include <cuda_runtime.h>

#include "common/cudasim/tests/programs.h"

namespace leaks {

PROGRAM(Streams) {
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  cudaStreamDestroy(streams[1]);
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithPriority(&stream, cudaStreamDefault, 0);
}

PROGRAM(Events) {
  cudaEvent_t event = nullptr;
  for (int i = 0; i < 2; ++i) cudaEventCreate(&event);
  cudaEventDestroy(event);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
}

PROGRAM(HostMemory) {
  int* memory = nullptr;
  cudaMallocHost(&memory, 64);
  cudaHostAlloc(&memory, 128, cudaHostAllocMapped);
  static int values[32];
  cudaHostRegister(values, sizeof(values), cudaHostRegisterDefault);
}

cudaTextureObject_t TextureOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

PROGRAM(ArrayAndTexture) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 16, 4);
  TextureOf(array);
}

PROGRAM(Pool) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  cudaMemPoolCreate(&pool, &properties);
}

PROGRAM(Graphs) {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node = nullptr;
  cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
  cudaGraphExec_t exec = nullptr;
  for (int i = 0; i < 2; ++i) cudaGraphInstantiate(&exec, graph, 0);
}

}  // namespace leaks
