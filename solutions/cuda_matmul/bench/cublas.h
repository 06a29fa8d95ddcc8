#pragma once

#include <cublas_v2.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

// cublasSgemm of the cuBLAS that the machine has.
class Cublas {
 public:
  Cublas() {
    Load("cublasCreate_v2", create_);
    Load("cublasDestroy_v2", destroy_);
    Load("cublasSetMathMode", set_math_mode_);
    Load("cublasSgemm_v2", sgemm_);
    Check(create_(&handle_), "cublasCreate");
    // Neither TF32 nor anything else of less precision.
    Check(set_math_mode_(handle_, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
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
  template <typename F>
  void Load(const char* name, F*& function) const {
    function = reinterpret_cast<F*>(dlsym(library_, name));
    if (!function) throw std::runtime_error(std::string("error: libcublas.so lacks ") + name);
  }

  static void* Open() {
    for (const char* name : {"libcublas.so", "libcublas.so.13", "libcublas.so.12"}) {
      if (void* library = dlopen(name, RTLD_NOW)) return library;
    }
    throw std::runtime_error(
        "error: no libcublas.so found\n  next: let LD_LIBRARY_PATH name the toolkit's lib64");
  }

  static void Check(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw std::runtime_error(std::string("error: ") + what + ": status " + std::to_string(status));
  }

  void* library_ = Open();
  decltype(cublasCreate_v2)* create_{};
  decltype(cublasDestroy_v2)* destroy_{};
  decltype(cublasSetMathMode)* set_math_mode_{};
  decltype(cublasSgemm_v2)* sgemm_{};
  cublasHandle_t handle_{};
};
