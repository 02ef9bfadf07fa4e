# SentencePiece from its pinned source, as the static library SentencePiece::SentencePiece. The native
# build and the page use the same version, so they tokenize alike; and Debian's shared library exports
# its own protobuf 3.14 under the names of the protobuf 3.21 that LibTorch loads, which makes any
# program that links both crash before main().
set(SENTENCEPIECE_VERSION 0.2.1)
include(${CMAKE_CURRENT_LIST_DIR}/FetchSource.cmake)
minibert_fetch_source(SENTENCEPIECE_SOURCE sentencepiece-${SENTENCEPIECE_VERSION}
  16666736d4f49923b4a7d2271ac68b276b17e5db4597e2f83fb5643d0c916c46
  pool/main/s/sentencepiece/sentencepiece_${SENTENCEPIECE_VERSION}.orig.tar.gz
  https://github.com/google/sentencepiece/archive/refs/tags/v${SENTENCEPIECE_VERSION}.tar.gz)

# Its own CMakeLists sets global flags and builds tools that nobody needs, so the files are named here.
set(sources
  bpe_model char_model error filesystem model_factory model_interface normalizer
  sentencepiece_processor unigram_model util word_model builtin_pb/sentencepiece.pb
  builtin_pb/sentencepiece_model.pb)
# What only uses a tokenizer trains none.
if(NOT EMSCRIPTEN AND NOT MINIBERT_ENGINE_ONLY)
  list(APPEND sources
    bpe_model_trainer builder char_model_trainer pretokenizer_for_training sentencepiece_trainer
    trainer_factory trainer_interface unicode_script unigram_model_trainer word_model_trainer)
endif()
list(TRANSFORM sources PREPEND ${SENTENCEPIECE_SOURCE}/src/)
list(TRANSFORM sources APPEND .cc)
file(GLOB protobuf ${SENTENCEPIECE_SOURCE}/third_party/protobuf-lite/*.cc)
list(FILTER protobuf EXCLUDE REGEX io_win32)
add_library(sentencepiece STATIC ${sources} ${protobuf}
  ${SENTENCEPIECE_SOURCE}/third_party/absl/flags/flag.cc)
add_library(SentencePiece::SentencePiece ALIAS sentencepiece)

# The public headers alone in a folder of their own: the source's folder has names like util.h.
set(include ${CMAKE_CURRENT_BINARY_DIR}/sentencepiece_include)
foreach(header sentencepiece_processor.h sentencepiece_trainer.h)
  configure_file(${SENTENCEPIECE_SOURCE}/src/${header} ${include}/${header} COPYONLY)
endforeach()
file(CONFIGURE OUTPUT ${include}/private/config.h CONTENT
  "#define VERSION \"${SENTENCEPIECE_VERSION}\"\n#define PACKAGE \"sentencepiece\"\n#define PACKAGE_STRING \"sentencepiece\"\n#define INSTALL_DATADIR \"\"\n")
target_include_directories(sentencepiece SYSTEM PUBLIC ${include})
target_include_directories(sentencepiece PRIVATE ${include}/private ${SENTENCEPIECE_SOURCE}
  ${SENTENCEPIECE_SOURCE}/src ${SENTENCEPIECE_SOURCE}/src/builtin_pb
  ${SENTENCEPIECE_SOURCE}/third_party ${SENTENCEPIECE_SOURCE}/third_party/protobuf-lite)
target_compile_definitions(sentencepiece PRIVATE _USE_INTERNAL_STRING_VIEW HAVE_PTHREAD=1)
# Hidden: a shared library's protobuf never meets this one.
set_target_properties(sentencepiece PROPERTIES CXX_STANDARD 17 CXX_VISIBILITY_PRESET hidden
  POSITION_INDEPENDENT_CODE ON)
target_compile_options(sentencepiece PRIVATE -w)
if(NOT EMSCRIPTEN)
  find_package(Threads REQUIRED)
  target_link_libraries(sentencepiece PUBLIC Threads::Threads)
endif()
# Its protobuf, what encodes and what trains in one go each: half the time. Not all its files take back the macros of
# port_def.inc.
set(trainers ${sources})
list(FILTER trainers INCLUDE REGEX "(train|builder|unicode_script)[a-z_]*\\.cc$")
set_source_files_properties(${sources} PROPERTIES UNITY_GROUP encoding)
set_source_files_properties(${trainers} PROPERTIES UNITY_GROUP training)
set_source_files_properties(${protobuf} PROPERTIES UNITY_GROUP protobuf)
set_target_properties(sentencepiece PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_CODE_AFTER_INCLUDE
  "#ifdef PROTOBUF_NAMESPACE\n#include <google/protobuf/port_undef.inc>\n#endif")
