# LibTorch out of an installed Python torch. Sets what find_package(Torch) sets: TORCH_LIBRARIES,
# TORCH_INCLUDE_DIRS, TORCH_CXX_FLAGS, TORCH_INSTALL_PREFIX. A wheel's own CMake package is left aside, because
# a CUDA wheel's asks for the whole CUDA toolkit, of which these sources need nothing. MINIBERT_PYTHON names
# the interpreter.
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
set(TORCH_INSTALL_PREFIX ${torch_root})
set(TORCH_INCLUDE_DIRS ${torch_root}/include ${torch_root}/include/torch/csrc/api/include)
set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=1")
# Kernels register themselves when their library is loaded; nothing refers to them by name. The CUDA
# libraries' own dependencies are found when the program starts, beside the wheel.
set(TORCH_LIBRARIES -Wl,--no-as-needed)
foreach(name torch torch_cpu c10 torch_cuda c10_cuda)
  set(file ${torch_root}/lib/lib${name}.so)
  if(EXISTS ${file})
    list(APPEND TORCH_LIBRARIES ${file})
  elseif(NOT name MATCHES cuda)
    message(FATAL_ERROR "${file}: not found, expected in a Python torch")
  endif()
endforeach()
list(APPEND TORCH_LIBRARIES -Wl,--as-needed -Wl,--allow-shlib-undefined)
