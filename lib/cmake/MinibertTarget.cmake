# minibert_library(NAME SOURCES … LIBS …), minibert_kernels(SOURCES), minibert_test(NAME SOURCES … LIBS … [LABELS …]) and
# minibert_bench(NAME SOURCES … LIBS … [ARGS …]): one place for warnings, sanitizers and the precompiled
# torch header. Where LIBS has minibert_torch, the sources that take no LibTorch may stand in WITHOUT_TORCH
# in place of SOURCES: the header alone costs a source more than most have of their own. For the same reason the
# others of libraries and programs are compiled six at a time (CMake's unity build; -DMINIBERT_UNITY=OFF: one by
# one, which pays where one of them is changed again and again). Tests are not: their helpers share names.
add_library(minibert_flags INTERFACE)
target_include_directories(minibert_flags INTERFACE ${CMAKE_SOURCE_DIR}/lib)
target_compile_options(minibert_flags INTERFACE -Wall -Wextra -Wno-unknown-pragmas)
# GCC 12 sees overlaps in std::string's operator+ that are not there (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(minibert_flags INTERFACE -Wno-restrict)
endif()
if(MINIBERT_WERROR)
  target_compile_options(minibert_flags INTERFACE -Werror)
endif()
if(MINIBERT_SANITIZE)
  target_compile_options(minibert_flags INTERFACE -fsanitize=${MINIBERT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(minibert_flags INTERFACE -fsanitize=${MINIBERT_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Needs the type information of LibTorch's classes, which it does not export.
    target_compile_options(minibert_flags INTERFACE -fno-sanitize=vptr)
  endif()
endif()
if(MINIBERT_COVERAGE)
  target_compile_options(minibert_flags INTERFACE --coverage)
  target_link_options(minibert_flags INTERFACE --coverage)
endif()

# LibTorch behind one interface target: its headers are system headers, so that warnings are ours alone.
separate_arguments(TORCH_FLAGS_LIST UNIX_COMMAND "${TORCH_CXX_FLAGS}")
add_library(minibert_torch INTERFACE)
target_include_directories(minibert_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_compile_options(minibert_torch INTERFACE ${TORCH_FLAGS_LIST})
target_link_libraries(minibert_torch INTERFACE ${TORCH_LIBRARIES})
if(bundled_openmp)
  target_compile_options(minibert_torch INTERFACE ${OpenMP_CXX_FLAGS})
  target_link_libraries(minibert_torch INTERFACE ${bundled_openmp})
elseif(MINIBERT_OPENMP)
  target_link_libraries(minibert_torch INTERFACE OpenMP::OpenMP_CXX)
endif()

# One object compiles what is used of LibTorch into a precompiled header that all torch targets reuse.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/torch_pch.cpp CONTENT "")
add_library(minibert_torch_pch STATIC ${CMAKE_BINARY_DIR}/torch_pch.cpp)
target_link_libraries(minibert_torch_pch PRIVATE minibert_flags minibert_torch)
target_precompile_headers(minibert_torch_pch PRIVATE ${CMAKE_SOURCE_DIR}/lib/core/torch.h <nlohmann/json.hpp>)

function(minibert_configure target)
  cmake_parse_arguments(ARG "" "" "SOURCES;WITHOUT_TORCH;LIBS;LABELS;ARGS" ${ARGN})
  target_sources(${target} PRIVATE ${ARG_SOURCES} ${ARG_WITHOUT_TORCH})
  if(ARG_WITHOUT_TORCH)
    set_source_files_properties(${ARG_WITHOUT_TORCH} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_link_libraries(${target} PUBLIC ${ARG_LIBS} PRIVATE minibert_flags)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/lib)
  if("minibert_torch" IN_LIST ARG_LIBS)
    target_precompile_headers(${target} REUSE_FROM minibert_torch_pch)
    if(MINIBERT_UNITY AND NOT target MATCHES "^(test|bench)_")
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    endif()
  endif()
endfunction()

function(minibert_library target)
  add_library(${target} STATIC)
  minibert_configure(${target} ${ARGN})
endfunction()

# Sources of plain loops: let the compiler vectorize reductions marked `omp simd` and use whole registers.
function(minibert_kernels)
  set(options -O3 -fopenmp-simd)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND options -mprefer-vector-width=512)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}")
endfunction()

function(minibert_test target)
  cmake_parse_arguments(ARG "" "" "SOURCES;WITHOUT_TORCH;LIBS;LABELS" ${ARGN})
  add_executable(${target})
  minibert_configure(${target} ${ARGN})
  # A test takes longer to compile than to run.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${target} PRIVATE minibert_test_support)
  add_test(NAME ${target} COMMAND ${target} ${MINIBERT_CATCH_OPTIONS} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${target} PROPERTIES LABELS "${ARG_LABELS}"
    ENVIRONMENT "MINIBERT_PROGRAM=$<TARGET_FILE_DIR:${target}>/minibert")
endfunction()

# A program that prints JSON lines with a "name" and exits 0, built only by name or by target `benches`, and
# run by `make bench`. ARGS are words for the shell, which may use $KORQUAD (a KorQuAD file), $CORPUS (plain
# text), $TOKENIZER (a SentencePiece model) and $MINIBERT (the program).
function(minibert_bench target)
  cmake_parse_arguments(ARG "" "" "SOURCES;WITHOUT_TORCH;LIBS;ARGS" ${ARGN})
  add_executable(${target} EXCLUDE_FROM_ALL)
  minibert_configure(${target} ${ARGN})
  list(JOIN ARG_ARGS " " arguments)
  set_property(GLOBAL APPEND PROPERTY MINIBERT_BENCHES ${target})
  set_property(GLOBAL APPEND_STRING PROPERTY MINIBERT_BENCH_COMMANDS "$<TARGET_FILE:${target}> ${arguments}\n")
endfunction()
