// CUDA arrays: dense rows of elements in device memory, which only copies and textures reach.
#pragma once

#include <string>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/runtime/copies/box_copy.h"

struct cudaArray {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  // in elements; height and depth are 0 where the array has fewer dimensions
  unsigned flags = 0;
  char* data = nullptr;

  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  std::size_t element_bytes() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  }
  std::size_t row_bytes() const { return extent.width * element_bytes(); }
};

namespace cudasim {

// True for formats of 1, 2 or 4 channels of 8, 16 or 32 bits.
bool IsTextureFormat(const cudaChannelFormatDesc& format);

// The side of a copy that begins `x` bytes into row `y` of slice `z` of a live array.
BoxSide SideOf(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z);

// True if the box from there lies in the array.
bool HoldsBox(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z, const Box& box);

bool IsArray(const cudaArray* array);

// True if a function for the shape may access the array.
bool HasShape(const cudaArray& array, const ArrayShape& shape);

// "the layered array of 256 bytes by 4 rows by 6 slices"
std::string Describe(const cudaArray& array);

}  // namespace cudasim
