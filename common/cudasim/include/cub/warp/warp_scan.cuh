#error "cudasim: cub/warp/warp_scan.cuh is not simulated; see common/cudasim/README.md"
