#error "cudasim: cooperative_groups::memcpy_async is not simulated; see common/cudasim/README.md"
