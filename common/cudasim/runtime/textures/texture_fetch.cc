// Fetches in kernels: addressing, reading, filtering.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/textures/texture.h"

namespace cudasim {
namespace {

using Channels = std::array<float, 4>;

float HalfToFloat(unsigned half) {
  const int exponent = static_cast<int>(half >> 10 & 31u);
  const auto mantissa = static_cast<float>(half & 1023u);
  float value = exponent == 0    ? std::ldexp(mantissa, -24)
                : exponent == 31 ? (mantissa == 0 ? INFINITY : NAN)
                                 : std::ldexp(mantissa + 1024.0f, exponent - 25);
  return (half & 0x8000u) != 0 ? -value : value;
}

unsigned RawChannel(const Texture& t, const char* element, int channel) {
  const int bytes = t.format.x / 8;
  unsigned raw = 0;
  std::memcpy(&raw, element + channel * bytes, static_cast<std::size_t>(bytes));
  if (t.format.f != cudaChannelFormatKindSigned || bytes == 4) return raw;
  const int shift = 32 - t.format.x;
  return static_cast<unsigned>(static_cast<int>(raw << shift) >> shift);
}

int ChannelCount(const Texture& t) { return static_cast<int>(t.element_bytes) * 8 / t.format.x; }

// As a float, for formats or read modes of floats.
float FloatChannel(const Texture& t, const char* element, int channel) {
  const unsigned raw = RawChannel(t, element, channel);
  if (t.format.f == cudaChannelFormatKindFloat) {
    return t.format.x == 16 ? HalfToFloat(raw) : __builtin_bit_cast(float, raw);
  }
  if (t.format.f == cudaChannelFormatKindUnsigned) {
    return static_cast<float>(raw) / static_cast<float>((1u << t.format.x) - 1);
  }
  const auto largest = static_cast<float>((1 << (t.format.x - 1)) - 1);
  return std::max(static_cast<float>(static_cast<int>(raw)) / largest, -1.0f);
}

// A coordinate in elements, after normalisation and the modes that work on normalised ones.
float ToElements(const Texture& t, int axis, float x) {
  if (!t.description.normalizedCoords) return x;
  const auto size = static_cast<float>(t.size[axis]);
  const cudaTextureAddressMode mode = t.description.addressMode[axis];
  const float whole = std::floor(x);
  if (mode == cudaAddressModeWrap) x -= whole;
  if (mode == cudaAddressModeMirror) {
    x = std::fmod(whole, 2.0f) != 0 ? 1.0f - (x - whole) : x - whole;
  }
  return x * size;
}

// The element that stands for position `i` of the axis; -1 for the border's colour.
std::ptrdiff_t Resolve(const Texture& t, int axis, float i) {
  const auto size = static_cast<float>(t.size[axis]);
  const cudaTextureAddressMode mode = t.description.addressMode[axis];
  if (i >= 0 && i < size) return static_cast<std::ptrdiff_t>(i);
  if (mode == cudaAddressModeBorder || std::isnan(i)) return -1;
  if (mode == cudaAddressModeWrap && t.description.normalizedCoords) {
    return static_cast<std::ptrdiff_t>(i < 0 ? i + size : i - size);
  }
  return i < 0 ? 0 : static_cast<std::ptrdiff_t>(t.size[axis]) - 1;
}

const char* ElementAt(const Texture& t, const float (&position)[3], int dimensions) {
  const std::size_t strides[3] = {t.element_bytes, t.pitch, t.slice_bytes};
  const char* element = t.data;
  for (int axis = 0; axis < dimensions; ++axis) {
    const std::ptrdiff_t i = Resolve(t, axis, position[axis]);
    if (i < 0) return nullptr;
    element += static_cast<std::size_t>(i) * strides[axis];
  }
  return element;
}

// What lies outside the texture. The host gives integers in the bits of the floats.
cudasimTexel BorderOf(const Texture& t) {
  cudasimTexel texel{};
  std::memcpy(&texel, t.description.borderColor, sizeof(float) * ChannelCount(t));
  return texel;
}

// `pc` is where the kernel fetches.
cudasimTexel TexelOf(const Texture& t, const char* element, const void* pc) {
  cudasimTexel texel{};
  if (element == nullptr) return BorderOf(t);
  OnTextureRead(element, t.element_bytes, pc);
  for (int c = 0; c < ChannelCount(t); ++c) {
    texel.bits[c] = ReadsFloat(t) ? __builtin_bit_cast(unsigned, FloatChannel(t, element, c))
                                  : RawChannel(t, element, c);
  }
  return texel;
}

// The hardware keeps 8 fractional bits of a weight.
float Weight(float fraction) { return std::floor(fraction * 256.0f + 0.5f) / 256.0f; }

cudasimTexel Interpolate(const Texture& t, const float (&position)[3], int dimensions,
                         const void* pc) {
  float low[3] = {};
  float weight[3] = {};
  for (int axis = 0; axis < dimensions; ++axis) {
    low[axis] = std::floor(position[axis] - 0.5f);
    weight[axis] = Weight(position[axis] - 0.5f - low[axis]);
  }
  Channels sum{};
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    float at[3] = {};
    float share = 1.0f;
    for (int axis = 0; axis < dimensions; ++axis) {
      const bool high = (corner >> axis & 1) != 0;
      at[axis] = low[axis] + (high ? 1.0f : 0.0f);
      share *= high ? weight[axis] : 1.0f - weight[axis];
    }
    const char* const element = ElementAt(t, at, dimensions);
    if (share == 0) continue;
    if (element != nullptr) OnTextureRead(element, t.element_bytes, pc);
    for (int c = 0; c < ChannelCount(t); ++c) {
      const float* const border = t.description.borderColor;
      sum[c] += share * (element != nullptr ? FloatChannel(t, element, c) : border[c]);
    }
  }
  return __builtin_bit_cast(cudasimTexel, sum);
}

cudasimTexel Sample(const Texture& t, float (&position)[3], int dimensions, const void* pc) {
  if (t.description.filterMode == cudaFilterModeLinear) {
    return Interpolate(t, position, dimensions, pc);
  }
  for (float& p : position) p = std::floor(p);
  return TexelOf(t, ElementAt(t, position, dimensions), pc);
}

// The texture of one layer or face; the nearest one, if there is none of this number.
Texture SliceOf(const Texture& t, std::size_t slice) {
  Texture one = t;
  one.data += slice * t.slice_bytes;
  return one;
}

// A negative layer is the last one, too, as an H100 showed.
std::size_t ClampLayer(int layer, std::size_t layers) {
  return std::min(static_cast<std::size_t>(static_cast<unsigned>(layer)), layers - 1);
}

// Where a direction meets a cube's face: CUDA C++ Programming Guide, "Cubemap Textures".
struct OnFace {
  int face;
  float u, v;  // from 0 to 1
};

OnFace FaceOf(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const auto on = [](int face, float major, float s, float t) {
    return OnFace{face, (s / major + 1) / 2, (t / major + 1) / 2};
  };
  if (ax >= ay && ax >= az) return x >= 0 ? on(0, ax, -z, -y) : on(1, ax, z, -y);
  if (ay >= az) return y >= 0 ? on(2, ay, x, z) : on(3, ay, x, -z);
  return z >= 0 ? on(4, az, x, -y) : on(5, az, -x, -y);
}

}  // namespace
}  // namespace cudasim

extern "C" {

cudasimTexel cudasimFetch(cudaTextureObject_t texture, float x, float y, float z, int dimensions) {
  const cudasim::LeaveKernel leave;
  const void* const pc = __builtin_return_address(0);
  const cudasim::Texture& t = cudasim::UseTexture(texture, pc);
  float position[3] = {cudasim::ToElements(t, 0, x), cudasim::ToElements(t, 1, y),
                       cudasim::ToElements(t, 2, z)};
  return cudasim::Sample(t, position, dimensions, pc);
}

cudasimTexel cudasimFetchLayer(cudaTextureObject_t texture, float x, float y, int layer,
                               int dimensions) {
  const cudasim::LeaveKernel leave;
  const void* const pc = __builtin_return_address(0);
  const cudasim::Texture& t = cudasim::UseTexture(texture, pc);
  cudasim::RequireShape(t, {dimensions, true, false}, pc);
  float position[3] = {cudasim::ToElements(t, 0, x), cudasim::ToElements(t, 1, y), 0};
  return cudasim::Sample(cudasim::SliceOf(t, cudasim::ClampLayer(layer, t.size[2])), position,
                         dimensions, pc);
}

cudasimTexel cudasimFetchCube(cudaTextureObject_t texture, float x, float y, float z, int layer,
                              bool layered) {
  const cudasim::LeaveKernel leave;
  const void* const pc = __builtin_return_address(0);
  const cudasim::Texture& t = cudasim::UseTexture(texture, pc);
  cudasim::RequireShape(t, {2, layered, true}, pc);
  const cudasim::OnFace at = cudasim::FaceOf(x, y, z);
  const std::size_t cube = cudasim::ClampLayer(layer, t.size[2] / 6);
  float position[3] = {at.u * static_cast<float>(t.size[0]), at.v * static_cast<float>(t.size[1]),
                       0};
  return cudasim::Sample(cudasim::SliceOf(t, 6 * cube + at.face), position, 2, pc);
}

cudasimTexel cudasimFetchElement(cudaTextureObject_t texture, int index) {
  const cudasim::LeaveKernel leave;
  const void* const pc = __builtin_return_address(0);
  const cudasim::Texture& t = cudasim::UseTexture(texture, pc);
  const bool inside = index >= 0 && static_cast<std::size_t>(index) < t.size[0];
  if (!inside) return {};
  return cudasim::TexelOf(t, t.data + static_cast<std::size_t>(index) * t.element_bytes, pc);
}

}  // extern "C"
