// CUDA arrays and texture objects: the host's calls, and the fetches in kernels.
//
// A fetch follows the CUDA C++ Programming Guide's appendix "Texture Fetching": linear filtering
// interpolates with weights of 8 fractional bits.  Elements outside the texture are borderColor in
// border mode.
#pragma once

#include <type_traits>

#include "cudasim/texture_types.h"
#include "cudasim/vector_types.h"

// Four channels, each a float, an int or an unsigned as the texture's format and read mode say;
// those that the format lacks are 0.
struct cudasimTexel {
  unsigned bits[4];
};

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height = 0, unsigned flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array);
// x in bytes, y in rows.
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind);

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view = nullptr);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);

cudasimTexel cudasimFetch(cudaTextureObject_t texture, float x, float y, float z, int dimensions);
cudasimTexel cudasimFetchLayer(cudaTextureObject_t texture, float x, float y, int layer,
                               int dimensions);
// (x, y, z): a direction from the centre of the cube.
cudasimTexel cudasimFetchCube(cudaTextureObject_t texture, float x, float y, float z, int layer,
                              bool layered);
cudasimTexel cudasimFetchElement(cudaTextureObject_t texture, int index);

}  // extern "C"

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}

namespace cudasim {

// Channel type and count of an element: of a scalar, or of one of the vector types.
template <class T, class = void>
struct Element {
  using Channel = T;
  static constexpr int kChannels = 1;
};
template <class T>
struct Element<T, std::enable_if_t<std::is_class_v<T>>> {
  using Channel = decltype(T::x);
  static constexpr int kChannels = sizeof(T) / sizeof(Channel);
};

template <class Channel>
inline __attribute__((always_inline)) Channel ChannelOf(const cudasimTexel& texel, int channel) {
  if constexpr (std::is_same_v<Channel, float>) {
    return __builtin_bit_cast(float, texel.bits[channel]);
  } else {
    return static_cast<Channel>(texel.bits[channel]);
  }
}

template <class T>
inline __attribute__((always_inline)) T FromTexel(const cudasimTexel& texel) {
  using Channel = typename Element<T>::Channel;
  constexpr int kChannels = Element<T>::kChannels;
  if constexpr (!std::is_class_v<T>) {
    return ChannelOf<Channel>(texel, 0);
  } else {
    T value;
    value.x = ChannelOf<Channel>(texel, 0);
    if constexpr (kChannels > 1) value.y = ChannelOf<Channel>(texel, 1);
    if constexpr (kChannels > 2) value.z = ChannelOf<Channel>(texel, 2);
    if constexpr (kChannels > 3) value.w = ChannelOf<Channel>(texel, 3);
    return value;
  }
}

}  // namespace cudasim

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Channel = typename ::cudasim::Element<T>::Channel;
  constexpr int kChannels = ::cudasim::Element<T>::kChannels;
  constexpr int kBits = 8 * sizeof(Channel);
  const cudaChannelFormatKind kind = std::is_floating_point_v<Channel> ? cudaChannelFormatKindFloat
                                     : std::is_signed_v<Channel>       ? cudaChannelFormatKindSigned
                                                                 : cudaChannelFormatKindUnsigned;
  return {kBits, kChannels > 1 ? kBits : 0, kChannels > 2 ? kBits : 0, kChannels > 3 ? kBits : 0,
          kind};
}

#ifdef __CUDACC__

// Each fetch returns its value, or stores it through its first argument.
#define CUDASIM_FETCH(name, Parameters, ...)     \
  template <class T>                             \
  CUDASIM_INLINE T name Parameters {             \
    return ::cudasim::FromTexel<T>(__VA_ARGS__); \
  }
CUDASIM_FETCH(tex1Dfetch, (cudaTextureObject_t t, int i), cudasimFetchElement(t, i))
CUDASIM_FETCH(tex1D, (cudaTextureObject_t t, float x), cudasimFetch(t, x, 0, 0, 1))
CUDASIM_FETCH(tex2D, (cudaTextureObject_t t, float x, float y), cudasimFetch(t, x, y, 0, 2))
CUDASIM_FETCH(tex3D, (cudaTextureObject_t t, float x, float y, float z),
              cudasimFetch(t, x, y, z, 3))
CUDASIM_FETCH(tex1DLayered, (cudaTextureObject_t t, float x, int layer),
              cudasimFetchLayer(t, x, 0, layer, 1))
CUDASIM_FETCH(tex2DLayered, (cudaTextureObject_t t, float x, float y, int layer),
              cudasimFetchLayer(t, x, y, layer, 2))
CUDASIM_FETCH(texCubemap, (cudaTextureObject_t t, float x, float y, float z),
              cudasimFetchCube(t, x, y, z, 0, false))
CUDASIM_FETCH(texCubemapLayered, (cudaTextureObject_t t, float x, float y, float z, int layer),
              cudasimFetchCube(t, x, y, z, layer, true))
#undef CUDASIM_FETCH

template <class T>
CUDASIM_INLINE void tex1Dfetch(T* value, cudaTextureObject_t t, int i) {
  *value = tex1Dfetch<T>(t, i);
}
template <class T>
CUDASIM_INLINE void tex1D(T* value, cudaTextureObject_t t, float x) {
  *value = tex1D<T>(t, x);
}
template <class T>
CUDASIM_INLINE void tex2D(T* value, cudaTextureObject_t t, float x, float y) {
  *value = tex2D<T>(t, x, y);
}
template <class T>
CUDASIM_INLINE void tex1DLayered(T* value, cudaTextureObject_t t, float x, int layer) {
  *value = tex1DLayered<T>(t, x, layer);
}
template <class T>
CUDASIM_INLINE void tex2DLayered(T* value, cudaTextureObject_t t, float x, float y, int layer) {
  *value = tex2DLayered<T>(t, x, y, layer);
}
template <class T>
CUDASIM_INLINE void texCubemap(T* value, cudaTextureObject_t t, float x, float y, float z) {
  *value = texCubemap<T>(t, x, y, z);
}
template <class T>
CUDASIM_INLINE void texCubemapLayered(T* value, cudaTextureObject_t t, float x, float y, float z,
                                      int layer) {
  *value = texCubemapLayered<T>(t, x, y, z, layer);
}
template <class T>
CUDASIM_INLINE void tex3D(T* value, cudaTextureObject_t t, float x, float y, float z) {
  *value = tex3D<T>(t, x, y, z);
}

#endif
