# LibTorch out of an installed Python torch. MINIBERT_PYTHON names the interpreter.
find_program(MINIBERT_PYTHON NAMES python3 python REQUIRED)
execute_process(
  COMMAND ${MINIBERT_PYTHON} -c
    "import os, torch
print(os.path.dirname(torch.__file__), torch.__version__, int(torch._C._GLIBCXX_USE_CXX11_ABI), sep=';')"
  OUTPUT_VARIABLE answer RESULT_VARIABLE status ERROR_VARIABLE problem OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${MINIBERT_PYTHON} cannot import torch (install it, or leave TORCH=python out):\n"
                      "${problem}")
endif()
list(GET answer 0 torch_root)
list(GET answer 1 torch_version)
list(GET answer 2 torch_abi)
message(STATUS "LibTorch ${torch_version} of ${MINIBERT_PYTHON}: ${torch_root}")
if(NOT torch_abi)
  message(FATAL_ERROR "torch ${torch_version} is built with the C++ ABI from before 2011, which the system's "
                      "SentencePiece and spdlog cannot be linked with; torch 2.7 or newer can")
endif()

if(NOT EXISTS ${torch_root}/lib/libtorch.so)
  # A distribution's package: its libraries lie where the linker finds them.
  find_package(Torch REQUIRED PATHS ${torch_root}/share/cmake)
  return()
endif()
include(TorchLibraries)
