# LibTorch: Debian's package or another with a CMake package (Torch_DIR), or an installed Python torch.
set(MINIBERT_TORCH package CACHE STRING "Where LibTorch comes from: package, python")
if(MINIBERT_TORCH STREQUAL "python")
  include(TorchFromPython)
elseif(EXISTS "${Torch_DIR}/../../../lib/libtorch.so")
  # A wheel or a download.
  get_filename_component(torch_root ${Torch_DIR}/../../.. ABSOLUTE)
  message(STATUS "LibTorch: ${torch_root}")
  file(STRINGS ${Torch_DIR}/TorchConfig.cmake torch_old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  if(torch_old_abi)
    message(FATAL_ERROR "${torch_root} is built with the C++ ABI from before 2011, which the system's SentencePiece "
                        "and spdlog cannot be linked with; the download named cxx11-abi or torch 2.7 can")
  endif()
  include(TorchLibraries)
else()
  find_package(Torch REQUIRED)
endif()
