#error "cudasim: cub/block/block_radix_sort.cuh is not simulated; see common/cudasim/README.md"
