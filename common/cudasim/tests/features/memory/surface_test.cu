// Surfaces: CUDA C++ Programming Guide, section "Surface Memory".  x is in bytes.
#include <numeric>

#include "common/cudasim/tests/features/test.h"

namespace {

// An array of `extent` and a surface object for it.
template <class T>
class Surface {
 public:
  explicit Surface(cudaExtent extent, unsigned flags = 0) : extent_(extent) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    EXPECT_OK(cudaMalloc3DArray(&array_, &format, extent, flags | cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    EXPECT_OK(cudaCreateSurfaceObject(&surface_, &resource));
  }
  ~Surface() {
    EXPECT_OK(cudaDestroySurfaceObject(surface_));
    EXPECT_OK(cudaFreeArray(array_));
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  cudaSurfaceObject_t get() const { return surface_; }
  cudaArray_t array() const { return array_; }

  // x fastest, slices last.
  std::vector<T> ToHost() const {
    std::vector<T> values(extent_.width * rows() * slices());
    cudaMemcpy3DParms copy{};
    copy.srcArray = array_;
    copy.dstPtr = Pitched(values);
    copy.extent = make_cudaExtent(extent_.width, rows(), slices());
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT_OK(cudaMemcpy3D(&copy));
    return values;
  }
  void Fill(std::vector<T> values) const {
    cudaMemcpy3DParms copy{};
    copy.srcPtr = Pitched(values);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(extent_.width, rows(), slices());
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_OK(cudaMemcpy3D(&copy));
  }

 private:
  std::size_t rows() const { return extent_.height == 0 ? 1 : extent_.height; }
  std::size_t slices() const { return extent_.depth == 0 ? 1 : extent_.depth; }
  cudaPitchedPtr Pitched(std::vector<T>& values) const {
    return make_cudaPitchedPtr(values.data(), extent_.width * sizeof(T), extent_.width, rows());
  }

  cudaExtent extent_;
  cudaArray_t array_ = nullptr;
  cudaSurfaceObject_t surface_ = 0;
};

template <class T>
std::vector<T> Count(std::size_t count, T first = 1) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

__global__ void Transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = threadIdx.y, bytes = sizeof(float2);
  surf2Dwrite(surf2Dread<float2>(from, x * bytes, y), to, y * bytes, x);
}

TEST(SurfaceTest, OfTwoDimensionsTakesBytesInXAndRowsInY) {
  const Surface<float2> from(make_cudaExtent(3, 2, 0)), to(make_cudaExtent(2, 3, 0));
  from.Fill({{1, -1}, {2, -2}, {3, -3}, {4, -4}, {5, -5}, {6, -6}});
  Transpose<<<1, dim3(3, 2)>>>(from.get(), to.get());
  std::vector<float> flat;
  for (const float2& value : to.ToHost()) flat.insert(flat.end(), {value.x, value.y});
  EXPECT_EQ(flat, (std::vector<float>{1, -1, 4, -4, 2, -2, 5, -5, 3, -3, 6, -6}));
}

__global__ void ReadAround(cudaSurfaceObject_t surface, int* out, int first_x, int y,
                           cudaSurfaceBoundaryMode mode) {
  const int x = (first_x + static_cast<int>(threadIdx.x)) * 4;
  out[threadIdx.x] = surf2Dread<int>(surface, x, y, mode);
}

TEST(SurfaceTest, BoundaryModesGiveZeroOrTheNearestElement) {
  const Surface<int> surface(make_cudaExtent(3, 2, 0));
  surface.Fill(Count<int>(6));
  const DeviceVector<int> out(6);
  ReadAround<<<1, 6>>>(surface.get(), out.get(), -1, 1, cudaBoundaryModeZero);
  EXPECT_EQ(out.ToHost(), (std::vector<int>{0, 4, 5, 6, 0, 0}));
  ReadAround<<<1, 6>>>(surface.get(), out.get(), -1, 1, cudaBoundaryModeClamp);
  EXPECT_EQ(out.ToHost(), (std::vector<int>{4, 4, 5, 6, 6, 6}));
  ReadAround<<<1, 6>>>(surface.get(), out.get(), -1, -7, cudaBoundaryModeClamp);
  EXPECT_EQ(out.ToHost(), (std::vector<int>{1, 1, 2, 3, 3, 3}));
  ReadAround<<<1, 6>>>(surface.get(), out.get(), -1, 2, cudaBoundaryModeZero);
  EXPECT_EQ(out.ToHost(), (std::vector<int>(6, 0)));
}

__global__ void WriteAround(cudaSurfaceObject_t surface, int y, cudaSurfaceBoundaryMode mode) {
  const int x = static_cast<int>(2 * threadIdx.x) - 1;  // -1, 1, 3
  surf2Dwrite(100 + x, surface, x * 4, y, mode);
}

TEST(SurfaceTest, WritesOutsideAreIgnoredOrGoToTheNearestElement) {
  const Surface<int> surface(make_cudaExtent(3, 2, 0));
  surface.Fill(Count<int>(6));
  WriteAround<<<1, 3>>>(surface.get(), 1, cudaBoundaryModeZero);
  EXPECT_EQ(surface.ToHost(), (std::vector<int>{1, 2, 3, 4, 101, 6}));
  WriteAround<<<1, 3>>>(surface.get(), -1, cudaBoundaryModeClamp);
  EXPECT_EQ(surface.ToHost(), (std::vector<int>{99, 101, 103, 4, 101, 6}));
}

// Elements wider and narrower than those of the array: a surface is memory.
__global__ void Split(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const uchar4 whole = surf2Dread<uchar4>(from, threadIdx.x * 4, 0);
  surf2Dwrite(whole.x, to, threadIdx.x * 4 + 3, 0);
  surf2Dwrite(whole.y, to, threadIdx.x * 4 + 2, 0);
  surf2Dwrite(make_uchar2(whole.z, whole.w), to, threadIdx.x * 4, 0);
}

TEST(SurfaceTest, TakesElementsOfOtherSizesThanTheArrays) {
  const Surface<unsigned> from(make_cudaExtent(2, 1, 0)), to(make_cudaExtent(2, 1, 0));
  from.Fill({0x04030201, 0x08070605});
  Split<<<1, 2>>>(from.get(), to.get());
  EXPECT_EQ(to.ToHost(), (std::vector<unsigned>{0x01020403, 0x05060807}));
}

__global__ void WriteLayers(cudaSurfaceObject_t flat, cudaSurfaceObject_t layered,
                            cudaSurfaceObject_t cube, cudaSurfaceObject_t cubes) {
  const int x = threadIdx.x * 4, y = threadIdx.y, layer = threadIdx.z;
  const int value = 100 * layer + 10 * y + static_cast<int>(threadIdx.x);
  if (y == 0) surf1DLayeredwrite(value, flat, x, layer);
  surf2DLayeredwrite(value, layered, x, y, layer);
  if (layer < 6) surfCubemapwrite(value, cube, x, y, layer);
  surfCubemapLayeredwrite(value, cubes, x, y, layer);
}

__global__ void ReadLayers(cudaSurfaceObject_t flat, cudaSurfaceObject_t layered,
                           cudaSurfaceObject_t cube, cudaSurfaceObject_t cubes, int* out) {
  StoreAll(out, surf1DLayeredread<int>(flat, 4, 11), surf2DLayeredread<int>(layered, 4, 1, 10),
           surfCubemapread<int>(cube, 0, 1, 5), surfCubemapLayeredread<int>(cubes, 4, 0, 7),
           surf2DLayeredread<int>(layered, 4, 1, 12, cudaBoundaryModeZero));
}

TEST(SurfaceTest, OfLayersAndFaces) {
  const Surface<int> flat(make_cudaExtent(2, 0, 12), cudaArrayLayered);
  const Surface<int> layered(make_cudaExtent(2, 2, 12), cudaArrayLayered);
  const Surface<int> cube(make_cudaExtent(2, 2, 6), cudaArrayCubemap);
  const Surface<int> cubes(make_cudaExtent(2, 2, 12), cudaArrayCubemap | cudaArrayLayered);
  WriteLayers<<<1, dim3(2, 2, 12)>>>(flat.get(), layered.get(), cube.get(), cubes.get());
  EXPECT_EQ(flat.ToHost()[2 * 7 + 1], 701);
  EXPECT_EQ(layered.ToHost()[4 * 3 + 2], 310);
  const DeviceVector<int> out(5);
  ReadLayers<<<1, 1>>>(flat.get(), layered.get(), cube.get(), cubes.get(), out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{1101, 1011, 510, 701, 0}));
}

__global__ void Fetch(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f);
}
__global__ void Write(cudaSurfaceObject_t surface) {
  surf1Dwrite(threadIdx.x * 1.5f, surface, threadIdx.x * 4);
}

TEST(SurfaceTest, ATextureFetchesWhatAnEarlierLaunchHasWritten) {
  const Surface<float> surface(make_cudaExtent(4, 0, 0));
  Write<<<1, 4>>>(surface.get());
  cudaResourceDesc resource{};
  ASSERT_OK(cudaGetSurfaceObjectResourceDesc(&resource, surface.get()));
  EXPECT_EQ(resource.res.array.array, surface.array());
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  ASSERT_OK(cudaCreateTextureObject(&texture, &resource, &description));
  const DeviceVector<float> out(4);
  Fetch<<<1, 4>>>(texture, out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{0, 1.5f, 3, 4.5f}));
  EXPECT_OK(cudaDestroyTextureObject(texture));
}

TEST(SurfaceTest, NeedsAnArrayMadeForIt) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  ASSERT_OK(cudaMallocArray(&array, &format, 4, 4));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateSurfaceObject(nullptr, &resource), cudaErrorInvalidValue);
  resource.resType = cudaResourceTypeLinear;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaErrorInvalidValue);
  EXPECT_OK(cudaFreeArray(array));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(SurfaceTest, LayersAndFacesNeedTheirExtents) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  const auto make = [&](cudaExtent extent, unsigned flags) {
    return cudaMalloc3DArray(&array, &format, extent, flags);
  };
  EXPECT_EQ(make(make_cudaExtent(4, 4, 0), cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(make(make_cudaExtent(4, 4, 2049), cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(make(make_cudaExtent(4, 3, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(make(make_cudaExtent(4, 4, 5), cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(make(make_cudaExtent(4, 4, 12), cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(make(make_cudaExtent(4, 4, 13), cudaArrayCubemap | cudaArrayLayered),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array, &format, 4, 4, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
