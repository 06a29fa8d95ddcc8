"""nvcc's options: their spellings, and which of them have no effect on a CPU."""

from __future__ import annotations

# Other spellings of the options that have an effect or take a value.
ALIASES = {
    "--output-file": "-o",
    "--include-path": "-I",
    "--system-include": "-isystem",
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--pre-include": "-include",
    "--library": "-l",
    "--library-path": "-L",
    "--std": "-std",
    "--optimize": "-O",
    "--x": "-x",
    "--compiler-options": "-Xcompiler",
    "--linker-options": "-Xlinker",
    "--relocatable-device-code": "-rdc",
    "--compile": "-c",
    "--device-c": "-dc",
    "--preprocess": "-E",
    "--shared": "-shared",
    "--generate-dependencies": "-M",
    "--generate-dependencies-with-compile": "-MD",
    "--dependency-output": "-MF",
    "--disable-warnings": "-w",
    "--Werror": "-Werror",
    "--verbose": "-v",
    "-h": "--help",
    "-V": "--version",
    "-use_fast_math": "--use_fast_math",
    "-ptx": "--ptx",
    "-cubin": "--cubin",
    "-fatbin": "--fatbin",
    "-lib": "--lib",
    "-dlink": "--device-link",
    "-cuda": "--cuda",
}

WITH_VALUE = {
    *("-o", "-x", "-I", "-D", "-U", "-L", "-l", "-std", "-O", "-rdc", "-isystem", "-include"),
    *("-MF", "-MT", "-MQ", "-Xcompiler", "-Xlinker", "-Werror"),
}

# Ignored: they choose or tune device code, or the toolkit.
VALUES_WITHOUT_MEANING = {
    *("-arch", "-code", "-gencode"),
    *("--gpu-architecture", "--gpu-code", "--generate-code"),
    *("-Xptxas", "--ptxas-options", "-Xnvlink", "--nvlink-options", "-Xcudafe", "-Xfatbin"),
    *("-ccbin", "--compiler-bindir", "-maxrregcount", "--maxrregcount", "-cudart", "--cudart"),
    *("-m", "--machine", "-t", "--threads", "-odir", "--output-directory", "-keep-dir"),
    *("--keep-dir", "-default-stream", "--default-stream", "-diag-suppress", "--diag-suppress"),
    *("-ftz", "--ftz", "-prec-div", "--prec-div", "-prec-sqrt", "--prec-sqrt", "-fmad", "--fmad"),
    *("-idp", "-cudadevrt", "--cudadevrt", "-ldir", "--library-directory"),
}

FLAGS_WITHOUT_MEANING = {
    *("-g", "-G", "-pg", "-lineinfo", "--debug", "--device-debug", "--generate-line-info"),
    *("-m64", "--expt-extended-lambda", "-expt-extended-lambda", "--extended-lambda"),
    *("-extended-lambda", "--expt-relaxed-constexpr", "-expt-relaxed-constexpr"),
    *("--keep", "-keep", "--resource-usage", "-res-usage", "--source-in-ptx", "-src-in-ptx"),
    *("-dopt", "--dopt", "-restrict", "--restrict", "-noeh", "--no-host-device-move-forward"),
    *("-extra-device-vectorization", "--allow-unsupported-compiler", "-nodlink"),
    *("-allow-unsupported-compiler", "--forward-unknown-to-host-compiler"),
    "-forward-unknown-to-host-compiler",
    *("--forward-unknown-opts", "-rdynamic", "--display-error-number", "-Wno-deprecated-gpu"),
    *("-Wno-deprecated-gpu-targets", "-Wreorder", "-lto", "-dlto"),
}

_NO_DEVICE_CODE = "the simulator makes no device code"
REFUSED = {
    "--ptx": _NO_DEVICE_CODE,
    "--cubin": _NO_DEVICE_CODE,
    "--fatbin": _NO_DEVICE_CODE,
    "--cuda": _NO_DEVICE_CODE,
    "--optix-ir": _NO_DEVICE_CODE,
    "--device-link": "objects are linked in one step",
    "--lib": "compile with -c and call ar",
}

# Libraries of the toolkit: "" if part of the simulator, else why not.
_NO_LIBRARY = "no library of the CUDA toolkit is part of the simulator"
TOOLKIT_LIBRARIES = {
    "cudart": "",
    "cudart_static": "",
    "cudadevrt": "",
    "cuda": "",  # named out of habit; a call of the driver API does not link
    "nvToolsExt": "",
    **dict.fromkeys(
        [
            *("cublas", "cublas_static", "cublasLt", "curand", "curand_static", "cufft"),
            *("cufft_static", "cufftw", "cusparse", "cusolver", "cudnn", "nvrtc", "nppc"),
            *("nppial", "nppif", "nppig", "npps", "nvjpeg", "nvgraph", "cupti", "nvml"),
        ],
        _NO_LIBRARY,
    ),
    "nvidia-ml": _NO_LIBRARY,
}
