#error "cudasim: NVTX for C++ is not simulated; use the functions of nvtx3/nvToolsExt.h"
