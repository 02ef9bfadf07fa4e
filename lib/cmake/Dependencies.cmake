# Every outside library, found once, under the names the targets use.
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
include(SentencePiece)
if(MINIBERT_ENGINE_ONLY)
  return()
endif()
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(EXPAT REQUIRED)
find_package(CURL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
# libcsv comes without a CMake package and without a pkg-config file.
find_path(LIBCSV_INCLUDE_DIR csv.h)
find_library(LIBCSV_LIBRARY csv)
if(NOT LIBCSV_INCLUDE_DIR OR NOT LIBCSV_LIBRARY)
  message(FATAL_ERROR "libcsv is missing (Debian: libcsv-dev)")
endif()
add_library(Libcsv::Libcsv UNKNOWN IMPORTED)
set_target_properties(Libcsv::Libcsv PROPERTIES IMPORTED_LOCATION ${LIBCSV_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${LIBCSV_INCLUDE_DIR})
pkg_check_modules(Zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(Utf8proc REQUIRED IMPORTED_TARGET libutf8proc)

include(LibTorch)

# at::parallel_for is a plain loop in sources that are compiled without OpenMP. Its runtime must be LibTorch's
# own, as threads of two would spin against each other: the one beside a downloaded LibTorch, else GCC's. Clang
# has another, so what it compiles keeps to one thread.
set(MINIBERT_OPENMP OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  set(MINIBERT_OPENMP ON)
  file(GLOB bundled_openmp ${TORCH_INSTALL_PREFIX}/lib/libgomp*.so*)
endif()
message(STATUS "Own operations on several threads (OpenMP): ${MINIBERT_OPENMP} ${bundled_openmp}")

# One run in several processes: LibTorch's Gloo, and the headers that its own include. A wheel or a download has
# Gloo but not those, and another version's would not fit: they are looked for beside LibTorch's alone.
set(MINIBERT_GLOO OFF)
if(TARGET torch_cpu)
  get_target_property(torch_definitions torch_cpu INTERFACE_COMPILE_DEFINITIONS)
  find_path(GLOO_INCLUDE_DIR gloo/config.h PATHS ${TORCH_INCLUDE_DIRS} NO_DEFAULT_PATH)
  if("USE_C10D_GLOO" IN_LIST torch_definitions AND GLOO_INCLUDE_DIR)
    set(MINIBERT_GLOO ON)
  endif()
endif()
message(STATUS "One run in several processes (Gloo): ${MINIBERT_GLOO}")
