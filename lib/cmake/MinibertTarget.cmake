# minibert_library(NAME [COLD] [EXACT] [SHAREABLE] SOURCES … LIBS …), minibert_kernels(SOURCES), minibert_test(NAME SOURCES … LIBS …
# [LABELS …]) and minibert_bench(NAME SOURCES … LIBS … [ARGS …]): one place for warnings, sanitizers, precompiled
# headers and unity builds. Most of what compiling costs is headers and the templates that they instantiate, so:
# * A target that links LibTorch, itself or through another of ours, reuses the precompiled header of LibTorch;
#   its sources that take no LibTorch may stand in WITHOUT_TORCH in place of SOURCES. They and all other targets
#   reuse the precompiled header of the standard library and JSON, a tenth of the size.
# * Libraries, programs and tests are compiled several sources at a time (CMake's unity build; -DMINIBERT_UNITY=OFF: one
#   by one, which pays where one of them is changed again and again). So the names in the anonymous namespaces
#   of one target differ.
# * COLD: nothing in it takes a user's time, so -O1 instead of -O3, which halves what is left.
# EXACT: sums are the same on every machine, as no multiplication is fused into an addition.
# SHAREABLE: without LibTorch; goes into a shared library, too, where nobody sees its names.
add_library(minibert_flags INTERFACE)
target_include_directories(minibert_flags INTERFACE ${CMAKE_SOURCE_DIR}/lib)
target_compile_options(minibert_flags INTERFACE -Wall -Wextra -Wno-unknown-pragmas)
# GCC 12 sees overlaps and lengths in std::string's operator+ that are not there (its bugs 105651, 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(minibert_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
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

# LibTorch behind one interface target: its headers are system headers, so that warnings are ours alone. Two
# objects compile the headers that all targets reuse.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/pch.cpp CONTENT "")
if(NOT MINIBERT_ENGINE_ONLY)
  separate_arguments(TORCH_FLAGS_LIST UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  add_library(minibert_torch INTERFACE)
  # LibTorch 2.15 brings its own fmt along; the system's spdlog is made with the system's.
  find_path(MINIBERT_SYSTEM_FMT fmt/core.h)
  foreach(folder ${TORCH_INCLUDE_DIRS})
    if(MINIBERT_SYSTEM_FMT AND EXISTS ${folder}/fmt AND NOT folder STREQUAL MINIBERT_SYSTEM_FMT)
      set(system_headers ${CMAKE_BINARY_DIR}/system_headers)
      file(MAKE_DIRECTORY ${system_headers})
      file(CREATE_LINK ${MINIBERT_SYSTEM_FMT}/fmt ${system_headers}/fmt SYMBOLIC)
      target_include_directories(minibert_torch SYSTEM INTERFACE ${system_headers})
    endif()
  endforeach()
  target_include_directories(minibert_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_compile_options(minibert_torch INTERFACE ${TORCH_FLAGS_LIST})
  target_link_libraries(minibert_torch INTERFACE ${TORCH_LIBRARIES})
  if(bundled_openmp)
    target_compile_options(minibert_torch INTERFACE ${OpenMP_CXX_FLAGS})
    target_link_libraries(minibert_torch INTERFACE ${bundled_openmp})
  elseif(MINIBERT_OPENMP)
    target_link_libraries(minibert_torch INTERFACE OpenMP::OpenMP_CXX)
  endif()
  add_library(minibert_torch_pch STATIC ${CMAKE_BINARY_DIR}/pch.cpp)
  target_link_libraries(minibert_torch_pch PRIVATE minibert_flags minibert_torch)
  target_precompile_headers(minibert_torch_pch PRIVATE ${CMAKE_SOURCE_DIR}/lib/core/torch.h <nlohmann/json.hpp>)
endif()
add_library(minibert_plain_pch STATIC ${CMAKE_BINARY_DIR}/pch.cpp)
target_link_libraries(minibert_plain_pch PRIVATE minibert_flags nlohmann_json::nlohmann_json)
target_precompile_headers(minibert_plain_pch PRIVATE
  <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <iostream> <map> <memory> <optional>
  <set> <span> <sstream> <string> <thread> <unordered_map> <vector> <nlohmann/json.hpp>)

# Whether a library links LibTorch, itself or through others.
function(minibert_takes_torch variable libraries)
  set(${variable} OFF PARENT_SCOPE)
  foreach(library ${libraries})
    if(library STREQUAL "minibert_torch")
      set(${variable} ON PARENT_SCOPE)
    elseif(TARGET ${library})
      get_target_property(takes_torch ${library} MINIBERT_TAKES_TORCH)
      if(takes_torch)
        set(${variable} ON PARENT_SCOPE)
      endif()
    endif()
  endforeach()
endfunction()

# Warnings, the precompiled header and the unity build of one target's sources, `most` of them at a time. GCC
# instantiates what the headers left pending in each of these anew, for LibTorch's a third of what a batch costs.
function(minibert_compile target pch most)
  target_link_libraries(${target} PRIVATE minibert_flags)
  if(pch)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
  if(MINIBERT_UNITY AND NOT target MATCHES "^bench_")
    # Batches of one size: two processors have as much to do.
    get_target_property(sources ${target} SOURCES)
    list(LENGTH sources count)
    math(EXPR batches "(${count} + ${most} - 1) / ${most}")
    math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()

function(minibert_configure target)
  cmake_parse_arguments(ARG "COLD;EXACT;SHAREABLE;TEST" "" "SOURCES;WITHOUT_TORCH;LIBS;LABELS;ARGS" ${ARGN})
  set(most 20)
  if(ARG_TEST)
    set(most 12)  # Catch2's macros make more of a source
  endif()
  target_sources(${target} PRIVATE ${ARG_SOURCES})
  target_link_libraries(${target} PUBLIC ${ARG_LIBS})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/lib)
  set(parts ${target})
  minibert_takes_torch(takes_torch "${ARG_LIBS}")
  set_target_properties(${target} PROPERTIES MINIBERT_TAKES_TORCH ${takes_torch})
  if(ARG_SHAREABLE)
    # The precompiled headers are not made for shared libraries.
    minibert_compile(${target} "" ${most})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  elseif(takes_torch)
    minibert_compile(${target} minibert_torch_pch ${most})
  else()
    minibert_compile(${target} minibert_plain_pch ${most})
  endif()
  if(ARG_WITHOUT_TORCH)
    # They see the headers of the other libraries alone.
    set(libraries "")
    foreach(library ${ARG_LIBS})
      minibert_takes_torch(takes_torch ${library})
      if(TARGET ${library} AND NOT takes_torch)
        list(APPEND libraries ${library})
      endif()
    endforeach()
    add_library(${target}_plain OBJECT ${ARG_WITHOUT_TORCH})
    get_target_property(is_built_by_name ${target} EXCLUDE_FROM_ALL)
    if(is_built_by_name)
      set_target_properties(${target}_plain PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    target_link_libraries(${target}_plain PRIVATE ${libraries})
    minibert_compile(${target}_plain minibert_plain_pch ${most})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_plain>)
    list(APPEND parts ${target}_plain)
  endif()
  if(ARG_EXACT)
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      # It takes no precompiled header that was made without the option.
      set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
  endif()
  if(ARG_COLD)
    foreach(part ${parts})
      target_compile_options(${part} PRIVATE $<$<CONFIG:Release>:-O1>)
    endforeach()
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
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}"
    SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# LABELS are ctest's. Those with `unit` are of single parts, take seconds, and are what `make unit` builds and runs.
# PARTS cuts what takes long into several ctest tests, so that two of them run at once to the end: each is NAME:FILE,FILE,
# the sources without ".cpp" whose cases it has, under ctest's name TARGET_NAME. TARGET has all the others.
function(minibert_test target)
  cmake_parse_arguments(ARG "" "" "SOURCES;WITHOUT_TORCH;LIBS;LABELS;PARTS" ${ARGN})
  add_executable(${target})
  # A test takes longer to compile than to run.
  minibert_configure(${target} COLD TEST SOURCES ${ARG_SOURCES} WITHOUT_TORCH ${ARG_WITHOUT_TORCH}
    LIBS ${ARG_LIBS} minibert_test_support)
  set(tests ${target})
  set(others "")
  foreach(part ${ARG_PARTS})
    string(REPLACE ":" ";" part "${part}")
    list(GET part 0 name)
    list(GET part 1 files)
    string(REPLACE "," ";" files "${files}")
    foreach(file ${files})
      if(NOT "${file}.cpp" IN_LIST ARG_SOURCES AND NOT "${file}.cpp" IN_LIST ARG_WITHOUT_TORCH)
        message(FATAL_ERROR "${target}: part ${name}: found ${file}, expected one of its sources without .cpp")
      endif()
      string(APPEND others "~[#${file}]")
    endforeach()
    list(JOIN files "],[#" files)
    add_test(NAME ${target}_${name} COMMAND ${target} ${MINIBERT_CATCH_OPTIONS} --filenames-as-tags "[#${files}]"
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    list(APPEND tests ${target}_${name})
  endforeach()
  if(others)
    set(others --filenames-as-tags ${others})
  endif()
  add_test(NAME ${target} COMMAND ${target} ${MINIBERT_CATCH_OPTIONS} ${others} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  if("unit" IN_LIST ARG_LABELS)
    set_property(GLOBAL APPEND PROPERTY MINIBERT_UNIT_TESTS ${target})
  endif()
  set_tests_properties(${tests} PROPERTIES LABELS "${ARG_LABELS}"
    ENVIRONMENT "MINIBERT_PROGRAM=$<TARGET_FILE_DIR:${target}>/minibert")
endfunction()

# A program that prints JSON lines with a "name" and exits 0, built only by name or by target `benches`, and
# run by `make bench`. ARGS are words for the shell, which may use $KORQUAD (a KorQuAD file), $CORPUS (plain
# text), $TOKENIZER (a SentencePiece model) and $MINIBERT (the program).
function(minibert_bench target)
  cmake_parse_arguments(ARG "" "" "SOURCES;WITHOUT_TORCH;LIBS;ARGS" ${ARGN})
  add_executable(${target} EXCLUDE_FROM_ALL)
  minibert_configure(${target} ${ARGN})
  list(TRANSFORM ARG_ARGS REPLACE "(.+)" "\"\\1\"")  # a path may have spaces
  list(JOIN ARG_ARGS " " arguments)
  set_property(GLOBAL APPEND PROPERTY MINIBERT_BENCHES ${target})
  set_property(GLOBAL APPEND_STRING PROPERTY MINIBERT_BENCH_COMMANDS "${target} \"$<TARGET_FILE:${target}>\" ${arguments}\n")
endfunction()
