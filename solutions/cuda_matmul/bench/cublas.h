#pragma once

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

#include "common/cuda/toolkit_library.h"

// cublasSgemm of the cuBLAS that the machine has. Only a mode that asks for TF32 gets it: neither
// CUBLAS_DEFAULT_MATH nor CUBLAS_PEDANTIC_MATH does. The latter, for studies of rounding,
// prescribes the arithmetic of every step.
class Cublas {
 public:
  explicit Cublas(cublasMath_t mode) {
    Check(create_(&handle_), "cublasCreate");
    Check(set_math_mode_(handle_, mode), "cublasSetMathMode");
  }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
  ~Cublas() { destroy_(handle_); }

  // Column by column, as cuBLAS has it, row-major matrices are transposed: C' = B' A'.
  void Multiply(const float* a, const float* b, float* c, int width) const {
    const float one = 1;
    const float zero = 0;
    Check(sgemm_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, width, width, width, &one, b, width, a, width,
                 &zero, c, width),
          "cublasSgemm");
  }

 private:
  static void Check(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw std::runtime_error(std::string("error: ") + what + ": status " + std::to_string(status));
  }

  template <typename F>
  static F* Load(const char* name) {
    static const lab::ToolkitLibrary library("cublas");
    return library.Function<F>(name);
  }

  decltype(cublasCreate_v2)* create_ = Load<decltype(cublasCreate_v2)>("cublasCreate_v2");
  decltype(cublasDestroy_v2)* destroy_ = Load<decltype(cublasDestroy_v2)>("cublasDestroy_v2");
  decltype(cublasSetMathMode)* set_math_mode_ =
      Load<decltype(cublasSetMathMode)>("cublasSetMathMode");
  decltype(cublasSgemm_v2)* sgemm_ = Load<decltype(cublasSgemm_v2)>("cublasSgemm_v2");
  cublasHandle_t handle_{};
};
