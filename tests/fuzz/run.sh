#!/usr/bin/env bash
# Fuzzes a loader with libFuzzer and the address and undefined-behaviour sanitizers: of model files (mbq;
# SentencePiece instrumented too), of run records (record; HDF5 as it is installed), or a reader of fuzz_readers.cpp.
# Usage: tests/fuzz/run.sh [TARGET] [SECONDS] (mbq 600). Needs clang++-19 (or CLANG); what it finds lies in
# build/fuzz/<target>/findings.
set -euo pipefail
cd "$(dirname "$0")/../.."
target="${1:-mbq}"
seconds="${2:-600}"
clang="${CLANG:-clang++-19}"
mapfile -t readers < <(sed -n 's/^      {"\([a-z]*\)",.*/\1/p' tests/fuzz/fuzz_readers.cpp)
if [[ " mbq record ${readers[*]} " != *" $target "* ]]; then
  echo "fuzz: found '$target', expected one of: mbq record ${readers[*]}" >&2
  exit 2
fi
build="build/fuzz/$target"
mkdir -p "$build/corpus" "$build/findings"
export MINIBERT_FUZZED="$target"
flags=(-std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr,alignment
  -fno-sanitize-recover=undefined -Ilib)
objects=()
compile() { # FILE FLAGS…
  local object="$build/${1//\//_}.o"
  objects+=("$object")
  # SentencePiece never changes; of ours, headers may have.
  [[ "$1" == build/sources/* && "$object" -nt "$1" ]] || "$clang" "${@:2}" -c "$1" -o "$object"
}

build_mbq() {
  [[ -d build/sources ]] || cmake --preset release >&2
  local source name file third
  source="$(echo build/sources/sentencepiece-*/src)"
  third="${source%/src}/third_party"
  cat >"$build/config.h" <<'CONFIG'
#define VERSION ""
#define PACKAGE ""
#define PACKAGE_STRING ""
#define INSTALL_DATADIR ""
CONFIG
  local spm=(-std=c++17 -O1 -g -w -fsanitize=fuzzer-no-link,address "-I$build" "-I${source%/src}" "-I$source"
    "-I$source/builtin_pb" "-I$third" "-I$third/protobuf-lite" -D_USE_INTERNAL_STRING_VIEW -DHAVE_PTHREAD=1)
  for name in bpe_model char_model error filesystem model_factory model_interface normalizer \
    sentencepiece_processor unigram_model util word_model builtin_pb/sentencepiece.pb builtin_pb/sentencepiece_model.pb; do
    compile "$source/$name.cc" "${spm[@]}"
  done
  for file in "$third"/protobuf-lite/*.cc "$third/absl/flags/flag.cc"; do
    [[ "$file" == *io_win32* ]] || compile "$file" "${spm[@]}"
  done
  for file in $(cmake -P lib/infer/sources.cmake) tests/fuzz/{fuzz_mbq,mutator,tiny_model}.cpp; do
    compile "$file" "${flags[@]}" "-I$source"
  done
  "$clang" -fsanitize=fuzzer,address,undefined "${objects[@]}" -lpthread -o "$build/fuzz"
  "$clang" "${flags[@]}" -fsanitize=address,undefined "-I$source" tests/fuzz/{write_seeds,tiny_model}.cpp \
    lib/infer/{engine/architecture,format/mbq_file,kernels/quantize}.cpp lib/rules/tag_decode.cpp -o "$build/write_seeds"
  "$build/write_seeds" "$build/corpus"
}

build_record() {
  local file hdf5
  read -ra hdf5 <<<"$(pkg-config --cflags hdf5)"
  for file in lib/core/*.cpp lib/record/*.cpp tests/support/lsan_suppressions.cpp \
    tests/fuzz/fuzz_record.cpp; do
    compile "$file" "${flags[@]}" -Itests "${hdf5[@]}"
  done
  read -ra hdf5 <<<"$(pkg-config --libs hdf5)"
  "$clang" -fsanitize=fuzzer,address,undefined "${objects[@]}" "${hdf5[@]}" -lz -lpthread -o "$build/fuzz"
}

build_readers() {
  local file
  for file in lib/core/{config_reader,excerpt,files,sha256,text,utf8}.cpp lib/checkpoint/{checkpoint,safetensors}.cpp \
    lib/text/{bert_words,byte_bpe_file,byte_source,byte_words,composed,python_text,wordpiece_file}.cpp \
    lib/data/{questions/korquad,files/table,files/tagged_file,files/text_encoding}.cpp tests/fuzz/fuzz_readers.cpp; do
    compile "$file" "${flags[@]}" -DMINIBERT_FUZZER
  done
  "$clang" -fsanitize=fuzzer,address,undefined "${objects[@]}" -lcsv -lutf8proc -lzstd -lbz2 -lz -o "$build/fuzz"
}

case "$target" in
  mbq | record) "build_$target" ;;
  *) build_readers ;;
esac
exec "$build/fuzz" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 \
  -artifact_prefix="$build/findings/" -print_final_stats=1 -print_funcs=0 "$build/corpus"
