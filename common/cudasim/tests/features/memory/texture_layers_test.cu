// Layered and cubemap textures: CUDA C++ Programming Guide, sections "Layered Textures" and
// "Cubemap Textures".
#include "common/cudasim/tests/features/test.h"

namespace {

// A texture object over an array whose elements count from 0, x fastest.
class LayeredTexture {
 public:
  LayeredTexture(cudaExtent extent, unsigned flags, cudaTextureFilterMode filter) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    EXPECT_OK(cudaMalloc3DArray(&array_, &format, extent, flags));
    const std::size_t rows = extent.height == 0 ? 1 : extent.height;
    std::vector<float> values(extent.width * rows * extent.depth);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), extent.width * 4, extent.width, rows);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(extent.width, rows, extent.depth);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_OK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
    description.filterMode = filter;
    EXPECT_OK(cudaCreateTextureObject(&texture_, &resource, &description));
  }
  ~LayeredTexture() {
    EXPECT_OK(cudaDestroyTextureObject(texture_));
    EXPECT_OK(cudaFreeArray(array_));
  }
  LayeredTexture(const LayeredTexture&) = delete;
  LayeredTexture& operator=(const LayeredTexture&) = delete;

  cudaTextureObject_t get() const { return texture_; }
  cudaArray_t array() const { return array_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

__global__ void Fetch1d(cudaTextureObject_t texture, float x, float* out) {
  out[threadIdx.x] = tex1DLayered<float>(texture, x, static_cast<int>(threadIdx.x) - 1);
}

TEST(TextureLayersTest, ALayerIsNeverInterpolatedAndClampsToTheLastAsDoesANegativeOne) {
  const LayeredTexture texture(make_cudaExtent(4, 0, 3), cudaArrayLayered, cudaFilterModeLinear);
  const DeviceVector<float> out(5);
  Fetch1d<<<1, 5>>>(texture.get(), 2.0f, out.get());  // the mean of elements 1 and 2
  EXPECT_EQ(out.ToHost(), (std::vector<float>{9.5f, 1.5f, 5.5f, 9.5f, 9.5f}));
}

__global__ void Fetch2d(cudaTextureObject_t texture, float* out) {
  tex2DLayered(&out[threadIdx.x], texture, 1.5f, 1.5f, static_cast<int>(threadIdx.x));
}

TEST(TextureLayersTest, OfTwoDimensions) {
  const LayeredTexture texture(make_cudaExtent(3, 2, 4), cudaArrayLayered, cudaFilterModePoint);
  const DeviceVector<float> out(4);
  Fetch2d<<<1, 4>>>(texture.get(), out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{4, 10, 16, 22}));
}

struct Direction {
  float x, y, z;
};

__global__ void FetchCube(cudaTextureObject_t texture, const Direction* at, float* out) {
  const Direction d = at[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(texture, d.x, d.y, d.z);
}

// Faces of 2 x 2 elements: face f has 4f to 4f + 3.  The guide's table gives, for each direction of
// the longest coordinate, the face and what runs along its axes.
TEST(TextureLayersTest, ADirectionChoosesAFaceAndAPlaceOnIt) {
  const LayeredTexture texture(make_cudaExtent(2, 2, 6), cudaArrayCubemap, cudaFilterModePoint);
  const std::vector<Direction> at = {
      {2, 1, 1},   {2, -1, -1},   // +x: s is -z, t is -y
      {-2, 1, 1},  {-2, -1, -1},  // -x: s is +z, t is -y
      {-1, 2, -1}, {1, 2, 1},     // +y: s is +x, t is +z
      {-1, -2, 1}, {1, -2, -1},   // -y: s is +x, t is -z
      {-1, 1, 2},  {1, -1, 2},    // +z: s is +x, t is -y
      {1, 1, -2},  {-1, -1, -2},  // -z: s is -x, t is -y
  };
  const DeviceVector<Direction> where(at);
  const DeviceVector<float> out(at.size());
  FetchCube<<<1, at.size()>>>(texture.get(), where.get(), out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{0, 3, 5, 6, 8, 11, 12, 15, 16, 19, 20, 23}));
}

__global__ void FetchCubes(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] =
      texCubemapLayered<float>(texture, 0.1f, 0.2f, -3.0f, static_cast<int>(threadIdx.x));
}

TEST(TextureLayersTest, CubesHaveLayersOfSixFaces) {
  const LayeredTexture texture(make_cudaExtent(1, 1, 18), cudaArrayCubemap | cudaArrayLayered,
                               cudaFilterModePoint);
  const DeviceVector<float> out(4);
  FetchCubes<<<1, 4>>>(texture.get(), out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{5, 11, 17, 17}));
}

TEST(TextureLayersTest, CubesAreNotFilteredAcrossEdges) {
  const LayeredTexture texture(make_cudaExtent(1, 1, 6), cudaArrayCubemap, cudaFilterModePoint);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = texture.array();
  cudaTextureDesc description{};
  description.seamlessCubemap = 1;
  cudaTextureObject_t seamless = 0;
  EXPECT_EQ(cudaCreateTextureObject(&seamless, &resource, &description), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

}  // namespace
