"""cuda_library(): .cu files for the CPU simulator, or for a GPU with --config=gpu."""

load("//common/lab/private:cuda.bzl", _cuda_library = "cuda_library")

cuda_library = _cuda_library
