#error "cudasim: cuda_awbarrier is not simulated; see common/cudasim/README.md"
