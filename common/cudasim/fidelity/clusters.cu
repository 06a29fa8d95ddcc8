// Clusters, surfaces and layered textures: prints a line `name: values` for each fact that the
// simulator takes from CUDA's documentation, so that its lines can be compared with a GPU's.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

namespace {

__global__ void Nothing(int*) {}
__global__ void Large(int*) {}
__global__ void __cluster_dims__(2, 2, 1) Square(int*) {}

cudaError_t Launch(void (*kernel)(int*), dim3 grid, dim3 block, dim3 cluster, int* argument) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, argument);
}

void PrintError(const char* name, cudaError_t error) {
  std::printf("%s: %s\n", name, cudaGetErrorName(error));
  cudaGetLastError();
}

void PrintLaunches() {
  PrintError("grid a multiple", Launch(Nothing, 8, 32, 4, nullptr));
  PrintError("grid no multiple", Launch(Nothing, 9, 32, 4, nullptr));
  PrintError("grid no multiple in y", Launch(Nothing, dim3(4, 3), 32, dim3(2, 2), nullptr));
  PrintError("cluster of zero", Launch(Nothing, 8, 32, dim3(0, 1, 1), nullptr));
  PrintError("cluster of 9", Launch(Nothing, 9, 32, 9, nullptr));
  PrintError("cluster of 16", Launch(Large, 16, 32, 16, nullptr));
  PrintError("attribute of 2",
             cudaFuncSetAttribute(Large, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
  cudaFuncSetAttribute(Large, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  PrintError("cluster of 16 allowed", Launch(Large, 16, 32, 16, nullptr));
  PrintError("cluster of 17 allowed", Launch(Large, 17, 32, 17, nullptr));
  PrintError("cluster of 32 allowed", Launch(Large, 32, 32, 32, nullptr));
  PrintError("own extent again", Launch(Square, dim3(4, 4), 32, dim3(2, 2), nullptr));
  PrintError("another extent", Launch(Square, dim3(4, 4), 32, dim3(4, 1), nullptr));
  Square<<<dim3(2, 3), 32>>>(nullptr);
  PrintError("own extent, grid no multiple", cudaGetLastError());
  PrintError("after all", cudaDeviceSynchronize());
}

// Threads and blocks that return are not waited for; the others pass values around.
__global__ void PassOn(int* out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), last = cluster.num_blocks() - 1;
  if (threadIdx.x == 0) value = 10 * static_cast<int>(rank);
  if (threadIdx.x > 40) return;
  cluster.sync();
  int seen = 0;
  if (rank < last) seen = *cluster.map_shared_rank(&value, static_cast<int>(rank) + 1);
  cluster.sync();
  if (rank == 1) return;
  cluster.sync();
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  if (threadIdx.x == 0) out[block] = 1000 * static_cast<int>(rank) + seen;
}

void PrintRanks() {
  constexpr int kBlocks = 4 * 6 * 2;
  int* out = nullptr;
  cudaMalloc(&out, kBlocks * sizeof(int));
  cudaMemset(out, 0, kBlocks * sizeof(int));
  PrintError("ranks", Launch(PassOn, dim3(4, 6, 2), 64, dim3(2, 3, 1), out));
  std::vector<int> host(kBlocks);
  cudaMemcpy(host.data(), out, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (const int value : host) std::printf("%d ", value);
  std::printf("\n");
}

__global__ void AroundSurface(cudaSurfaceObject_t surface, int* out) {
  int n = 0;
  for (const cudaSurfaceBoundaryMode mode : {cudaBoundaryModeZero, cudaBoundaryModeClamp}) {
    for (int y = -1; y < 3; ++y) {
      for (int x = -1; x < 4; ++x) {
        out[n++] = mode == cudaBoundaryModeZero
                       ? surf2DLayeredread<int>(surface, x * 4, y, 1, cudaBoundaryModeZero)
                       : surf2DLayeredread<int>(surface, x * 4, y, 1, cudaBoundaryModeClamp);
      }
    }
  }
}

__global__ void FetchFaces(cudaTextureObject_t cube, cudaTextureObject_t layers, int* out) {
  int n = 0;
  for (int i = 0; i < 27; ++i) {
    const float x = i % 3 - 1.1f, y = i / 3 % 3 - 1.2f, z = i / 9 - 1.05f;
    out[n++] = texCubemap<int>(cube, x, y, z);
  }
  for (int layer = -1; layer < 4; ++layer) out[n++] = tex2DLayered<int>(layers, 1.5f, 0.5f, layer);
}

cudaArray_t MakeArray(cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  PrintError("array", cudaMalloc3DArray(&array, &format, extent, flags));
  if (array == nullptr) return array;
  std::vector<int> values(extent.width * extent.height * extent.depth);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i) + 1;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * 4, extent.width, extent.height);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  PrintError("copy", cudaMemcpy3D(&copy));
  return array;
}

cudaResourceDesc ResourceOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

cudaTextureObject_t TextureOf(cudaArray_t array) {
  const cudaResourceDesc resource = ResourceOf(array);
  cudaTextureDesc description = {};
  for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  PrintError("texture", cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

void PrintInts(const int* device, int count) {
  std::vector<int> host(count);
  PrintError("read", cudaMemcpy(host.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (const int value : host) std::printf("%d ", value);
  std::printf("\n");
}

void PrintImages() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  const cudaArray_t layers =
      MakeArray(make_cudaExtent(3, 2, 3), cudaArrayLayered | cudaArraySurfaceLoadStore);
  const cudaArray_t cube = MakeArray(make_cudaExtent(2, 2, 6), cudaArrayCubemap);
  MakeArray(make_cudaExtent(2, 3, 6), cudaArrayCubemap);
  MakeArray(make_cudaExtent(2, 2, 5), cudaArrayCubemap);
  MakeArray(make_cudaExtent(2, 2, 0), cudaArrayLayered);
  const cudaResourceDesc resource = ResourceOf(layers), other = ResourceOf(cube);
  cudaSurfaceObject_t surface = 0, none = 0;
  PrintError("surface", cudaCreateSurfaceObject(&surface, &resource));
  PrintError("surface without the flag", cudaCreateSurfaceObject(&none, &other));
  AroundSurface<<<1, 1>>>(surface, out);
  PrintInts(out, 40);
  FetchFaces<<<1, 1>>>(TextureOf(cube), TextureOf(layers), out);
  PrintInts(out, 32);
}

__global__ void Trap(cudaSurfaceObject_t surface) { surf2DLayeredwrite(1, surface, 12, 0, 0); }

// The last one, as the error stays.
void PrintTrap() {
  const cudaArray_t layers =
      MakeArray(make_cudaExtent(3, 2, 3), cudaArrayLayered | cudaArraySurfaceLoadStore);
  const cudaResourceDesc resource = ResourceOf(layers);
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  Trap<<<1, 1>>>(surface);
  PrintError("trap", cudaDeviceSynchronize());
}

}  // namespace

int main() {
  PrintLaunches();
  PrintRanks();
  PrintImages();
  PrintTrap();
  return 0;
}
