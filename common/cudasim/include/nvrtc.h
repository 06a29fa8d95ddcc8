#error "cudasim: nvrtc (compilation at run time) is not simulated; see common/cudasim/README.md"
