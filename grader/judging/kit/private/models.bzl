"""How submissions are built, by programming model: see //common/lab/private:models.bzl."""

load("//grader/judging/kit/private/models:cpu.bzl", "CPU_KIT")
load("//grader/judging/kit/private/models:cuda.bzl", "CUDA_KIT")
load("//grader/judging/kit/private/models:mpi.bzl", "MPI_KIT")
load("//grader/judging/kit/private/models:opencl.bzl", "OPENCL_KIT")

KIT_MODELS = {model.name: model for model in [CPU_KIT, CUDA_KIT, MPI_KIT, OPENCL_KIT]}
