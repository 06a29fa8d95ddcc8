#error "cudasim: nvcuda::experimental::awbarrier is not simulated: use cuda::barrier"
