#pragma once

#include <cusparse.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/cuda/device_array.h"
#include "common/cuda/toolkit_library.h"

// y = A x by the cuSPARSE that the machine has, for a matrix in CSR. What it wants to know of the
// matrix it finds out before, once, with memory that it is given.
class CusparseProduct {
 public:
  CusparseProduct(std::size_t rows, std::size_t columns, const lab::DeviceArray<unsigned>& pointers,
                  const lab::DeviceArray<unsigned>& column_indices,
                  const lab::DeviceArray<float>& values, const lab::DeviceArray<float>& x,
                  const lab::DeviceArray<float>& y, cusparseSpMVAlg_t algorithm)
      : algorithm_(algorithm) {
    Check(create_(&handle_), "cusparseCreate");
    Check(create_csr_(&matrix_, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                      static_cast<std::int64_t>(values.size()), pointers.data(),
                      column_indices.data(), values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
          "cusparseCreateCsr");
    Check(create_vector_(&x_, static_cast<std::int64_t>(columns), x.data(), CUDA_R_32F),
          "cusparseCreateDnVec");
    Check(create_vector_(&y_, static_cast<std::int64_t>(rows), y.data(), CUDA_R_32F),
          "cusparseCreateDnVec");
    std::size_t bytes = 0;
    Check(buffer_size_(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_, &zero_, y_,
                       CUDA_R_32F, algorithm_, &bytes),
          "cusparseSpMV_bufferSize");
    buffer_ = std::make_unique<lab::DeviceArray<char>>(bytes + 1);
    Check(preprocess_(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_, &zero_, y_,
                      CUDA_R_32F, algorithm_, buffer_->data()),
          "cusparseSpMV_preprocess");
  }
  CusparseProduct(const CusparseProduct&) = delete;
  CusparseProduct& operator=(const CusparseProduct&) = delete;
  ~CusparseProduct() {
    destroy_vector_(x_);
    destroy_vector_(y_);
    destroy_matrix_(matrix_);
    destroy_(handle_);
  }

  // On the default stream.
  void Multiply() const {
    Check(multiply_(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, x_, &zero_, y_,
                    CUDA_R_32F, algorithm_, buffer_->data()),
          "cusparseSpMV");
  }

 private:
  static void Check(cusparseStatus_t status, const char* what) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    throw std::runtime_error(std::string("error: ") + what + ": status " + std::to_string(status));
  }

  template <typename F>
  static F* Load(const char* name) {
    static const lab::ToolkitLibrary library("cusparse");
    return library.Function<F>(name);
  }

  decltype(cusparseCreate)* create_ = Load<decltype(cusparseCreate)>("cusparseCreate");
  decltype(cusparseDestroy)* destroy_ = Load<decltype(cusparseDestroy)>("cusparseDestroy");
  decltype(cusparseCreateCsr)* create_csr_ = Load<decltype(cusparseCreateCsr)>("cusparseCreateCsr");
  decltype(cusparseDestroySpMat)* destroy_matrix_ =
      Load<decltype(cusparseDestroySpMat)>("cusparseDestroySpMat");
  decltype(cusparseCreateDnVec)* create_vector_ =
      Load<decltype(cusparseCreateDnVec)>("cusparseCreateDnVec");
  decltype(cusparseDestroyDnVec)* destroy_vector_ =
      Load<decltype(cusparseDestroyDnVec)>("cusparseDestroyDnVec");
  decltype(cusparseSpMV_bufferSize)* buffer_size_ =
      Load<decltype(cusparseSpMV_bufferSize)>("cusparseSpMV_bufferSize");
  decltype(cusparseSpMV_preprocess)* preprocess_ =
      Load<decltype(cusparseSpMV_preprocess)>("cusparseSpMV_preprocess");
  decltype(cusparseSpMV)* multiply_ = Load<decltype(cusparseSpMV)>("cusparseSpMV");

  cusparseSpMVAlg_t algorithm_;
  cusparseHandle_t handle_{};
  cusparseSpMatDescr_t matrix_{};
  cusparseDnVecDescr_t x_{};
  cusparseDnVecDescr_t y_{};
  float one_ = 1;
  float zero_ = 0;
  std::unique_ptr<lab::DeviceArray<char>> buffer_;
};
