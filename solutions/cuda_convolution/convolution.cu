// The reference: a thread for each pixel with the mask in constant memory; a tile with its halo in
// shared memory; a tile without it; two passes; pieces of mask and image in shared memory, with
// four pixels in the registers of each thread; and a texture, whose unit knows the boundaries.

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_convolution/convolution.h"

namespace {

constexpr int kWide = 32;  // pixels of a block in x: a warp has neighbours of one row
constexpr int kHigh = 16;  // parts 1 to 4: in y
constexpr int kMaskSide = 2 * kMaxRadius + 1;
constexpr int kLine = 2 * kMaxSeparableRadius + 1;

__constant__ float mask_of_call[kMaskSide * kMaskSide];
__constant__ float row_of_call[kLine];
__constant__ float column_of_call[kLine];

struct Image {
  int width, height;

  bool IsEmpty() const { return width == 0 || height == 0; }
  __device__ bool Has(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
  __device__ int Index(int x, int y) const { return y * width + x; }
  // Pixel (x, y) of `in`, 0 outside the image.
  __device__ float At(const float* in, int x, int y) const {
    return Has(x, y) ? in[Index(x, y)] : 0.0f;
  }
};

unsigned BlocksFor(int pixels, int of_a_block) {
  return static_cast<unsigned>((pixels + of_a_block - 1) / of_a_block);
}

__global__ void DirectKernel(const float* in, float* out, Image image, int radius) {
  const int x = blockIdx.x * kWide + threadIdx.x;
  const int y = blockIdx.y * kHigh + threadIdx.y;
  if (!image.Has(x, y)) return;
  float sum = 0;
  int weight = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      sum += mask_of_call[weight++] * image.At(in, x + dx, y + dy);
    }
  }
  out[image.Index(x, y)] = sum;
}

__global__ void HaloKernel(const float* in, float* out, Image image, int radius) {
  __shared__ float tile[kHigh + 2 * kMaxRadius][kWide + 2 * kMaxRadius];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int left = blockIdx.x * kWide - radius;  // the tile's first column and row in the image
  const int top = blockIdx.y * kHigh - radius;
  for (int row = ty; row < kHigh + 2 * radius; row += kHigh) {
    for (int column = tx; column < kWide + 2 * radius; column += kWide) {
      tile[row][column] = image.At(in, left + column, top + row);
    }
  }
  __syncthreads();
  const int x = left + radius + tx;
  const int y = top + radius + ty;
  if (!image.Has(x, y)) return;
  float sum = 0;
  int weight = 0;
  for (int row = ty; row <= ty + 2 * radius; ++row) {
    for (int column = tx; column <= tx + 2 * radius; ++column) {
      sum += mask_of_call[weight++] * tile[row][column];
    }
  }
  out[image.Index(x, y)] = sum;
}

__global__ void CacheKernel(const float* in, float* out, Image image, int radius) {
  __shared__ float tile[kHigh][kWide];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * kWide + tx;
  const int y = blockIdx.y * kHigh + ty;
  tile[ty][tx] = image.At(in, x, y);
  __syncthreads();
  if (!image.Has(x, y)) return;
  float sum = 0;
  int weight = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    const int row = ty + dy;
    for (int dx = -radius; dx <= radius; ++dx) {
      const int column = tx + dx;
      const bool in_tile = row >= 0 && row < kHigh && column >= 0 && column < kWide;
      const float pixel = in_tile ? tile[row][column] : image.At(in, x + dx, y + dy);
      sum += mask_of_call[weight++] * pixel;
    }
  }
  out[image.Index(x, y)] = sum;
}

__global__ void RowKernel(const float* in, float* out, Image image, int radius) {
  const int x = blockIdx.x * kWide + threadIdx.x;
  const int y = blockIdx.y * kHigh + threadIdx.y;
  if (!image.Has(x, y)) return;
  float sum = 0;
  for (int d = -radius; d <= radius; ++d) sum += row_of_call[d + radius] * image.At(in, x + d, y);
  out[image.Index(x, y)] = sum;
}

// Neighbouring threads have neighbouring columns here, too.
__global__ void ColumnKernel(const float* in, float* out, Image image, int radius) {
  const int x = blockIdx.x * kWide + threadIdx.x;
  const int y = blockIdx.y * kHigh + threadIdx.y;
  if (!image.Has(x, y)) return;
  float sum = 0;
  for (int d = -radius; d <= radius; ++d) {
    sum += column_of_call[d + radius] * image.At(in, x, y + d);
  }
  out[image.Index(x, y)] = sum;
}

constexpr int kThreadsHigh = 8;  // part 5: threads of a block in y
constexpr int kOutputs = 4;      // pixels of a thread, one below the other
constexpr int kTall = kThreadsHigh * kOutputs;
constexpr int kPiece = 16;  // rows and columns of a piece of the mask

// The part of the mask that is in shared memory, and the pixels under it.
struct Stage {
  float mask[kPiece][kPiece];
  float tile[kTall + kPiece - 1][kWide + kPiece - 1];
};

// Adds up the products of one piece with `rows` x `columns` weights. A window of four pixels moves
// down a column of the tile: one pixel and one weight are read for four products.
__device__ void AddPiece(const Stage& stage, int rows, int columns, float4& sums) {
  const int first = threadIdx.y * kOutputs;
  for (int column = 0; column < columns; ++column) {
    const int at = threadIdx.x + column;
    float w0 = stage.tile[first][at];
    float w1 = stage.tile[first + 1][at];
    float w2 = stage.tile[first + 2][at];
    for (int row = 0; row < rows; ++row) {
      const float w3 = stage.tile[first + 3 + row][at];
      const float weight = stage.mask[row][column];
      sums.x += weight * w0;
      sums.y += weight * w1;
      sums.z += weight * w2;
      sums.w += weight * w3;
      w0 = w1;
      w1 = w2;
      w2 = w3;
    }
  }
}

__global__ void PieceKernel(const float* in, const float* mask, float* out, Image image,
                            int radius_x, int radius_y) {
  __shared__ Stage stage;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int mask_width = 2 * radius_x + 1;
  const int mask_height = 2 * radius_y + 1;
  float4 sums = {};
  for (int top = 0; top < mask_height; top += kPiece) {
    const int rows = min(kPiece, mask_height - top);
    const int y = blockIdx.y * kTall + top - radius_y;  // the tile's first row in the image
    if (y >= image.height || y + kTall + kPiece <= 0) continue;
    for (int left = 0; left < mask_width; left += kPiece) {
      const int columns = min(kPiece, mask_width - left);
      const int x = blockIdx.x * kWide + left - radius_x;
      if (x >= image.width || x + kWide + kPiece <= 0) continue;
      for (int row = ty; row < rows; row += kThreadsHigh) {
        if (tx < columns) stage.mask[row][tx] = mask[(top + row) * mask_width + left + tx];
      }
      for (int row = ty; row < kTall + rows - 1; row += kThreadsHigh) {
        for (int column = tx; column < kWide + columns - 1; column += kWide) {
          stage.tile[row][column] = image.At(in, x + column, y + row);
        }
      }
      __syncthreads();
      AddPiece(stage, rows, columns, sums);
      __syncthreads();
    }
  }
  const int first = blockIdx.y * kTall + ty * kOutputs;
  const auto store = [&](int y, float sum) {
    const int x = blockIdx.x * kWide + tx;
    if (image.Has(x, y)) out[image.Index(x, y)] = sum;
  };
  store(first, sums.x);
  store(first + 1, sums.y);
  store(first + 2, sums.z);
  store(first + 3, sums.w);
}

// A texture is addressed in pixels, or in widths and heights of the image: `scale` is 1, or
// 1 / width and 1 / height. Pixel x lies between x and x + 1.
__global__ void TextureKernel(cudaTextureObject_t in, float* out, Image image, int radius,
                              float2 scale) {
  const int x = blockIdx.x * kWide + threadIdx.x;
  const int y = blockIdx.y * kHigh + threadIdx.y;
  if (!image.Has(x, y)) return;
  float sum = 0;
  int weight = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    const float v = (static_cast<float>(y + dy) + 0.5f) * scale.y;
    for (int dx = -radius; dx <= radius; ++dx) {
      const float u = (static_cast<float>(x + dx) + 0.5f) * scale.x;
      sum += mask_of_call[weight++] * tex2D<float>(in, u, v);
    }
  }
  out[image.Index(x, y)] = sum;
}

// A CUDA array for an image, and what textures are made from.
class Array {
 public:
  explicit Array(const Image& image) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CUDA_CHECK(cudaMallocArray(&array_, &format, image.width, image.height));
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFreeArray(array_); }

  void Set(const float* in, const Image& image, cudaStream_t stream) const {
    const std::size_t row = image.width * sizeof(float);
    CUDA_CHECK(cudaMemcpy2DToArrayAsync(array_, 0, 0, in, row, row, image.height,
                                        cudaMemcpyDeviceToDevice, stream));
  }
  cudaResourceDesc Resource() const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return resource;
  }

 private:
  cudaArray_t array_ = nullptr;
};

// A texture object for kernels in `stream`.
class Texture {
 public:
  Texture(const cudaResourceDesc& resource, const cudaTextureDesc& description, cudaStream_t stream)
      : stream_(stream) {
    CUDA_CHECK(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  // A kernel may fetch from it until the stream is done, also when an exception ends the call.
  ~Texture() {
    if (!is_done_) cudaStreamSynchronize(stream_);
    cudaDestroyTextureObject(texture_);
  }

  cudaTextureObject_t get() const { return texture_; }
  void Wait() {
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    is_done_ = true;
  }

 private:
  cudaTextureObject_t texture_ = 0;
  cudaStream_t stream_;
  bool is_done_ = false;
};

// Wrap and mirror are for normalized coordinates alone.
cudaTextureDesc Describe(Boundary boundary, float outside) {
  constexpr cudaTextureAddressMode kModes[] = {cudaAddressModeBorder, cudaAddressModeClamp,
                                               cudaAddressModeMirror, cudaAddressModeWrap};
  cudaTextureDesc description = {};
  description.addressMode[0] = kModes[static_cast<int>(boundary)];
  description.addressMode[1] = description.addressMode[0];
  description.borderColor[0] = outside;
  description.normalizedCoords = boundary == Boundary::kReflect || boundary == Boundary::kPeriodic;
  return description;
}

// Copies weights on the device into a __constant__ variable, after earlier work of the stream.
template <typename Symbol>
void SetConstant(const Symbol& symbol, DeviceSpan<const float> weights, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyToSymbolAsync(symbol, weights.data(), weights.size_bytes(), 0,
                                     cudaMemcpyDeviceToDevice, stream));
}

using Kernel = void(const float* in, float* out, Image image, int radius);

void Launch(Kernel& kernel, const float* in, float* out, const Image& image, int radius,
            cudaStream_t stream) {
  const dim3 block(kWide, kHigh);
  const dim3 blocks(BlocksFor(image.width, kWide), BlocksFor(image.height, kHigh));
  kernel<<<blocks, block, 0, stream>>>(in, out, image, radius);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void Convolve(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
              int width, int height, int radius, cudaStream_t stream) {
  const Image image{width, height};
  if (image.IsEmpty()) return;
  SetConstant(mask_of_call, mask, stream);
  Launch(DirectKernel, in.data(), out.data(), image, radius, stream);
}

void ConvolveTiled(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                   int width, int height, int radius, cudaStream_t stream) {
  const Image image{width, height};
  if (image.IsEmpty()) return;
  SetConstant(mask_of_call, mask, stream);
  Launch(HaloKernel, in.data(), out.data(), image, radius, stream);
}

void ConvolveCached(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                    int width, int height, int radius, cudaStream_t stream) {
  const Image image{width, height};
  if (image.IsEmpty()) return;
  SetConstant(mask_of_call, mask, stream);
  Launch(CacheKernel, in.data(), out.data(), image, radius, stream);
}

void ConvolveSeparable(DeviceSpan<const float> in, DeviceSpan<const float> row,
                       DeviceSpan<const float> column, DeviceSpan<float> out,
                       DeviceSpan<float> scratch, int width, int height, int radius,
                       cudaStream_t stream) {
  const Image image{width, height};
  if (image.IsEmpty()) return;
  SetConstant(row_of_call, row, stream);
  SetConstant(column_of_call, column, stream);
  Launch(RowKernel, in.data(), scratch.data(), image, radius, stream);
  Launch(ColumnKernel, scratch.data(), out.data(), image, radius, stream);
}

void ConvolveLarge(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                   int width, int height, int radius_x, int radius_y, cudaStream_t stream) {
  const Image image{width, height};
  if (image.IsEmpty()) return;
  const dim3 block(kWide, kThreadsHigh);
  const dim3 blocks(BlocksFor(width, kWide), BlocksFor(height, kTall));
  PieceKernel<<<blocks, block, 0, stream>>>(in.data(), mask.data(), out.data(), image, radius_x,
                                            radius_y);
  CUDA_CHECK(cudaGetLastError());
}

void ConvolveTexture(DeviceSpan<const float> in, DeviceSpan<const float> mask,
                     DeviceSpan<float> out, int width, int height, int radius, Boundary boundary,
                     float outside, cudaStream_t stream) {
  const Image image{width, height};
  if (image.IsEmpty()) return;
  SetConstant(mask_of_call, mask, stream);
  const Array array(image);
  array.Set(in.data(), image, stream);
  const cudaTextureDesc description = Describe(boundary, outside);
  Texture texture(array.Resource(), description, stream);
  float2 scale = {1, 1};
  if (description.normalizedCoords) {
    scale = {1 / static_cast<float>(width), 1 / static_cast<float>(height)};
  }
  const dim3 block(kWide, kHigh);
  const dim3 blocks(BlocksFor(width, kWide), BlocksFor(height, kHigh));
  TextureKernel<<<blocks, block, 0, stream>>>(texture.get(), out.data(), image, radius, scale);
  CUDA_CHECK(cudaGetLastError());
  texture.Wait();
}
