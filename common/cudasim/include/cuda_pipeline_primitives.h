#error "cudasim: cuda_pipeline is not simulated; see common/cudasim/README.md"
