#error "cudasim: cuda_pipeline (asynchronous copies) is not simulated; see common/cudasim/README.md"
