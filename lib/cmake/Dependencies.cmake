# Every outside library, found once, under the names the targets use.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CURL REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
include(SentencePiece)
pkg_check_modules(Zstd REQUIRED IMPORTED_TARGET libzstd)

# LibTorch: Debian's package or another with a CMake package (Torch_DIR), or an installed Python torch.
set(MINIBERT_TORCH package CACHE STRING "Where LibTorch comes from: package, python")
if(MINIBERT_TORCH STREQUAL "python")
  include(TorchFromPython)
else()
  find_package(Torch REQUIRED)
endif()
