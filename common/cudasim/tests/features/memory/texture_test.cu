// Textures: linear memory, pitched memory and arrays; address modes, filters, read modes.
#include "common/cudasim/tests/features/test.h"

namespace {

// A texture object over a resource, by default with point sampling and clamping.
class Texture {
 public:
  Texture(const cudaResourceDesc& resource, cudaTextureDesc description) {
    EXPECT_OK(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  ~Texture() { EXPECT_OK(cudaDestroyTextureObject(texture_)); }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaTextureObject_t texture_ = 0;
};

cudaTextureDesc Modes(cudaTextureAddressMode address, cudaTextureFilterMode filter,
                      bool normalized) {
  cudaTextureDesc description{};
  for (cudaTextureAddressMode& mode : description.addressMode) mode = address;
  description.filterMode = filter;
  description.normalizedCoords = normalized;
  return description;
}

template <class T>
cudaResourceDesc Linear(const DeviceVector<T>& values, std::size_t count) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values.get();
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  return resource;
}

template <class T>
class Array {
 public:
  Array(const std::vector<T>& values, std::size_t width, std::size_t height) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    EXPECT_OK(cudaMallocArray(&array_, &format, width, height));
    const std::size_t row = width * sizeof(T);
    EXPECT_OK(cudaMemcpy2DToArray(array_, 0, 0, values.data(), row, row, height ? height : 1,
                                  cudaMemcpyHostToDevice));
  }
  ~Array() { EXPECT_OK(cudaFreeArray(array_)); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  cudaArray_t get() const { return array_; }
  cudaResourceDesc resource() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return resource;
  }

 private:
  cudaArray_t array_ = nullptr;
};

template <class T>
__global__ void FetchElements(cudaTextureObject_t texture, T* out, int first) {
  out[threadIdx.x] = tex1Dfetch<T>(texture, first + static_cast<int>(threadIdx.x));
}

TEST(TextureTest, FetchesElementsOfLinearMemoryAndZeroOutside) {
  DeviceVector<int> values(std::vector<int>{1, -2, 3});
  const Texture texture(Linear(values, 3), {});
  DeviceVector<int> out(5);
  FetchElements<<<1, 5>>>(texture.get(), out.get(), -1);
  EXPECT_EQ(out.ToHost(), (std::vector<int>{0, 1, -2, 3, 0}));
}

TEST(TextureTest, FetchesVectorTypesAndSmallIntegers) {
  DeviceVector<uchar4> values(std::vector<uchar4>{{1, 2, 3, 255}});
  const Texture texture(Linear(values, 1), {});
  DeviceVector<uchar4> out(1);
  FetchElements<<<1, 1>>>(texture.get(), out.get(), 0);
  const uchar4 got = out.ToHost()[0];
  EXPECT_EQ(got.x + got.y + got.z + got.w, 261);
  DeviceVector<short> shorts(std::vector<short>{-7, 8});
  const Texture signed_texture(Linear(shorts, 2), {});
  DeviceVector<short> back(2);
  FetchElements<<<1, 2>>>(signed_texture.get(), back.get(), 0);
  EXPECT_EQ(back.ToHost(), (std::vector<short>{-7, 8}));
}

TEST(TextureTest, ReadsIntegersAsNormalisedFloats) {
  DeviceVector<unsigned char> values(std::vector<unsigned char>{0, 51, 255});
  cudaTextureDesc description{};
  description.readMode = cudaReadModeNormalizedFloat;
  const Texture texture(Linear(values, 3), description);
  DeviceVector<float> out(3);
  FetchElements<<<1, 3>>>(texture.get(), out.get(), 0);
  EXPECT_EQ(out.ToHost(), (std::vector<float>{0.0f, 0.2f, 1.0f}));
}

__global__ void Sample1d(cudaTextureObject_t texture, const float* at, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, at[threadIdx.x]);
}

std::vector<float> Sample(const Array<float>& array, const cudaTextureDesc& description,
                          const std::vector<float>& at) {
  const Texture texture(array.resource(), description);
  DeviceVector<float> where(at);
  DeviceVector<float> out(at.size());
  Sample1d<<<1, at.size()>>>(texture.get(), where.get(), out.get());
  return out.ToHost();
}

TEST(TextureTest, ClampsAndBordersCoordinatesOutside) {
  const Array<float> array({10, 20, 30, 40}, 4, 0);
  const std::vector<float> at = {-5, -0.1f, 0, 0.9f, 3.99f, 4, 100};
  EXPECT_EQ(Sample(array, Modes(cudaAddressModeClamp, cudaFilterModePoint, false), at),
            (std::vector<float>{10, 10, 10, 10, 40, 40, 40}));
  EXPECT_EQ(Sample(array, Modes(cudaAddressModeBorder, cudaFilterModePoint, false), at),
            (std::vector<float>{0, 0, 10, 10, 40, 0, 0}));
}

TEST(TextureTest, GivesTheBorderColourOutside) {
  const Array<float> array({10, 20}, 2, 0);
  cudaTextureDesc description = Modes(cudaAddressModeBorder, cudaFilterModePoint, false);
  description.borderColor[0] = -3;
  EXPECT_EQ(Sample(array, description, {-1, 0, 1, 2}), (std::vector<float>{-3, 10, 20, -3}));
  description.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(Sample(array, description, {0, 2}), (std::vector<float>{3.5f, 8.5f}));
}

TEST(TextureTest, WrapsAndMirrorsNormalisedCoordinates) {
  const Array<float> array({10, 20, 30, 40}, 4, 0);
  const std::vector<float> at = {-0.25f, 0, 0.5f, 1.0f, 1.25f, 2.75f};
  EXPECT_EQ(Sample(array, Modes(cudaAddressModeWrap, cudaFilterModePoint, true), at),
            (std::vector<float>{40, 10, 30, 10, 20, 40}));
  EXPECT_EQ(Sample(array, Modes(cudaAddressModeMirror, cudaFilterModePoint, true), at),
            (std::vector<float>{20, 10, 30, 40, 40, 40}));
}

TEST(TextureTest, InterpolatesLinearlyWithEightBitWeights) {
  const Array<float> array({0, 256, 512}, 3, 0);
  const std::vector<float> at = {0, 0.5f, 1.0f, 1.25f, 0.5f + 1.0f / 1024, 0.5f + 3.0f / 1024, 3};
  // 1/1024 rounds to a weight of 0, 3/1024 to one of 1/256.
  EXPECT_EQ(Sample(array, Modes(cudaAddressModeClamp, cudaFilterModeLinear, false), at),
            (std::vector<float>{0, 0, 128, 192, 0, 1, 512}));
  EXPECT_EQ(Sample(array, Modes(cudaAddressModeBorder, cudaFilterModeLinear, false), {3.0f}),
            (std::vector<float>{256}));
  EXPECT_EQ(Sample(array, Modes(cudaAddressModeWrap, cudaFilterModeLinear, true), {0.0f}),
            (std::vector<float>{256}));
}

__global__ void Sample2d(cudaTextureObject_t texture, float* out, int width, float offset) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  out[y * width + x] = tex2D<float>(texture, x + offset, y + offset);
}

TEST(TextureTest, SamplesArraysOfTwoDimensions) {
  const Array<float> array({1, 2, 3, 4, 5, 6}, 3, 2);
  const Texture points(array.resource(), Modes(cudaAddressModeClamp, cudaFilterModePoint, false));
  DeviceVector<float> out(6);
  Sample2d<<<1, dim3(3, 2)>>>(points.get(), out.get(), 3, 0.5f);
  EXPECT_EQ(out.ToHost(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const Texture linear(array.resource(), Modes(cudaAddressModeClamp, cudaFilterModeLinear, false));
  Sample2d<<<1, dim3(2, 1)>>>(linear.get(), out.get(), 2, 1.0f);
  EXPECT_EQ(out.ToHost()[0], 3);  // the mean of 1, 2, 4, 5
  EXPECT_EQ(out.ToHost()[1], 4);
}

TEST(TextureTest, SamplesPitchedMemory) {
  float* values = nullptr;
  size_t pitch = 0;
  ASSERT_OK(cudaMallocPitch(&values, &pitch, 3 * sizeof(float), 2));
  const float host[] = {1, 2, 3, 4, 5, 6};
  ASSERT_OK(cudaMemcpy2D(values, pitch, host, 12, 12, 2, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = values;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 3;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = pitch;
  DeviceVector<float> out(6);
  {
    const Texture texture(resource, Modes(cudaAddressModeClamp, cudaFilterModePoint, false));
    Sample2d<<<1, dim3(3, 2)>>>(texture.get(), out.get(), 3, 0);
    EXPECT_EQ(out.ToHost(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  }
  EXPECT_OK(cudaFree(values));
}

__global__ void Sample3d(cudaTextureObject_t texture, float* out) {
  *out = tex3D<float>(texture, 1.0f, 1.0f, 1.0f);
}

TEST(TextureTest, SamplesArraysOfThreeDimensions) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  ASSERT_OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 2)));
  float host[] = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host, 2 * sizeof(float), 2, 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  DeviceVector<float> out(1);
  {
    const Texture texture(resource, Modes(cudaAddressModeClamp, cudaFilterModeLinear, false));
    Sample3d<<<1, 1>>>(texture.get(), out.get());
    EXPECT_EQ(out.ToHost()[0], 4.5f);
  }
  EXPECT_OK(cudaFreeArray(array));
}

TEST(TextureTest, CopiesFromArrays) {
  const Array<int> array({1, 2, 3, 4, 5, 6}, 3, 2);
  std::vector<int> part(4);
  ASSERT_OK(cudaMemcpy2DFromArray(part.data(), 8, array.get(), 4, 0, 8, 2, cudaMemcpyDeviceToHost));
  EXPECT_EQ(part, (std::vector<int>{2, 3, 5, 6}));
  std::vector<int> run(4);
  ASSERT_OK(cudaMemcpyFromArray(run.data(), array.get(), 8, 0, 16, cudaMemcpyDeviceToHost));
  EXPECT_EQ(run, (std::vector<int>{3, 4, 5, 6}));
}

TEST(TextureTest, RefusesWhatCudaRefuses) {
  const Array<int> array({1, 2, 3}, 3, 0);
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource = array.resource();
  cudaTextureDesc description{};
  description.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description),
            cudaErrorInvalidFilterSetting);
  description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description),
            cudaErrorInvalidNormSetting);
  EXPECT_EQ(cudaCreateTextureObject(nullptr, &resource, &description), cudaErrorInvalidValue);
  DeviceVector<float> rows(std::vector<float>(30));
  cudaResourceDesc pitched{};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D = {rows.get(), cudaCreateChannelDesc<float>(), 9, 3, 36};
  description = {};
  EXPECT_EQ(cudaCreateTextureObject(&texture, &pitched, &description), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroyTextureObject(12345), cudaErrorInvalidValue);
  int host[8] = {};
  EXPECT_EQ(cudaMemcpy2DToArray(array.get(), 4, 0, host, 12, 12, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  cudaArray_t bad = nullptr;
  const cudaChannelFormatDesc three = cudaCreateChannelDesc<float3>();
  EXPECT_EQ(cudaMallocArray(&bad, &three, 4), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidChannelDescriptor);
}

}  // namespace
