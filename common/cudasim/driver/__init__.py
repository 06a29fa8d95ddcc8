"""cudasim-cc: CUDA C++ programs for the simulator, without Bazel."""
