// Surface objects: the host's calls, and reads and writes in kernels (CUDA C++ Programming Guide,
// section "Surface Memory", and the surface functions of its C++ language extensions).
//
// x is in bytes; y, z, layers and faces are indices.
#pragma once

#include "cudasim/texture_types.h"
#include "cudasim/vector_types.h"

typedef unsigned long long cudaSurfaceObject_t;

// What an access outside the surface does: a read gives 0 and a write nothing; it goes to the
// nearest element; or it ends the launch.
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};

extern "C" {

// The resource must be an array made with cudaArraySurfaceLoadStore.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface);

}  // extern "C"

namespace cudasim {

// The shape of an array, as a function for it assumes.
struct ArrayShape {
  int dimensions;  // without layers and faces
  bool layered;
  bool cubemap;
};

// What a kernel's surface function accesses.
struct SurfaceAccess {
  ArrayShape shape;
  int x;  // bytes
  int y;
  int z;  // or the layer or face
  unsigned bytes;
  cudaSurfaceBoundaryMode mode;
  bool writes;
};

// The element's address; null if the boundary mode ignores the access.
char* FindElement(cudaSurfaceObject_t surface, const SurfaceAccess& access);

}  // namespace cudasim

#ifdef __CUDACC__

namespace cudasim {

template <class T>
CUDASIM_INLINE T ReadSurface(cudaSurfaceObject_t surface, const ArrayShape& shape, int x, int y,
                             int z, cudaSurfaceBoundaryMode mode) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "cudasim: a surface is accessed in elements of 1, 2, 4, 8 or 16 bytes");
  const char* const element = FindElement(surface, {shape, x, y, z, sizeof(T), mode, false});
  if (element == nullptr) return T{};
  return *reinterpret_cast<const T*>(element);
}

template <class T>
CUDASIM_INLINE void WriteSurface(cudaSurfaceObject_t surface, const T& value,
                                 const ArrayShape& shape, int x, int y, int z,
                                 cudaSurfaceBoundaryMode mode) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "cudasim: a surface is accessed in elements of 1, 2, 4, 8 or 16 bytes");
  char* const element = FindElement(surface, {shape, x, y, z, sizeof(T), mode, true});
  if (element != nullptr) *reinterpret_cast<T*>(element) = value;
}

}  // namespace cudasim

// name##read returns the value or stores it through its first argument.
#define CUDASIM_SURFACE(name, Parameters, arguments, dimensions, layered, cubemap, x, y, z)  \
  template <class T>                                                                         \
  CUDASIM_INLINE T name##read(cudaSurfaceObject_t s, CUDASIM_UNPACK Parameters,              \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    return ::cudasim::ReadSurface<T>(s, {dimensions, layered, cubemap}, x, y, z, mode);      \
  }                                                                                          \
  template <class T>                                                                         \
  CUDASIM_INLINE void name##read(T* value, cudaSurfaceObject_t s, CUDASIM_UNPACK Parameters, \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {      \
    *value = name##read<T>(s, CUDASIM_UNPACK arguments, mode);                               \
  }                                                                                          \
  template <class T>                                                                         \
  CUDASIM_INLINE void name##write(T value, cudaSurfaceObject_t s, CUDASIM_UNPACK Parameters, \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    ::cudasim::WriteSurface<T>(s, value, {dimensions, layered, cubemap}, x, y, z, mode);     \
  }
#define CUDASIM_UNPACK(...) __VA_ARGS__
CUDASIM_SURFACE(surf1D, (int x), (x), 1, false, false, x, 0, 0)
CUDASIM_SURFACE(surf2D, (int x, int y), (x, y), 2, false, false, x, y, 0)
CUDASIM_SURFACE(surf3D, (int x, int y, int z), (x, y, z), 3, false, false, x, y, z)
CUDASIM_SURFACE(surf1DLayered, (int x, int layer), (x, layer), 1, true, false, x, 0, layer)
CUDASIM_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), 2, true, false, x, y,
                layer)
CUDASIM_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face), 2, false, true, x, y, face)
CUDASIM_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), (x, y, layer_face), 2, true,
                true, x, y, layer_face)
#undef CUDASIM_UNPACK
#undef CUDASIM_SURFACE

#endif
