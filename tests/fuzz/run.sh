#!/usr/bin/env bash
# Fuzzes the loader of .mbq files with libFuzzer and the address and undefined-behaviour sanitizers, SentencePiece
# instrumented too. Usage: tests/fuzz/run.sh [SECONDS] (600). Needs clang++-19 (or CLANG); what it finds lies in
# build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds="${1:-600}"
clang="${CLANG:-clang++-19}"
build=build/fuzz
mkdir -p "$build/corpus" "$build/findings"

[[ -d build/sources ]] || cmake --preset release >&2
source="$(echo build/sources/sentencepiece-*/src)"
flags=(-std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr,alignment
  -fno-sanitize-recover=undefined -Ilib "-I$build")
cat >"$build/config.h" <<'CONFIG'
#define VERSION ""
#define PACKAGE ""
#define PACKAGE_STRING ""
#define INSTALL_DATADIR ""
CONFIG
third="${source%/src}/third_party"
spm=(-std=c++17 -O1 -g -w -fsanitize=fuzzer-no-link,address "-I$build" "-I${source%/src}" "-I$source"
  "-I$source/builtin_pb" "-I$third" "-I$third/protobuf-lite" -D_USE_INTERNAL_STRING_VIEW -DHAVE_PTHREAD=1)
objects=()
compile() { # FILE FLAGS…
  local object
  object="$build/$(basename "$1").o"
  objects+=("$object")
  # SentencePiece never changes; of ours, headers may have.
  [[ "$1" == build/sources/* && "$object" -nt "$1" ]] || "$clang" "${@:2}" -c "$1" -o "$object"
}
for name in bpe_model char_model error filesystem model_factory model_interface normalizer \
  sentencepiece_processor unigram_model util word_model builtin_pb/sentencepiece.pb builtin_pb/sentencepiece_model.pb; do
  compile "$source/$name.cc" "${spm[@]}"
done
for file in "$third"/protobuf-lite/*.cc "$third/absl/flags/flag.cc"; do
  [[ "$file" == *io_win32* ]] || compile "$file" "${spm[@]}"
done
for file in lib/infer/*.cpp tests/fuzz/{fuzz_mbq,mutator,tiny_model}.cpp; do
  [[ "$file" == */kernel_wasm* || "$file" == */kernel_avx* ]] || compile "$file" "${flags[@]}" "-I$source"
done
"$clang" -fsanitize=fuzzer,address,undefined "${objects[@]}" -lpthread -o "$build/fuzz_mbq"
"$clang" "${flags[@]}" -fsanitize=address,undefined "-I$source" tests/fuzz/{write_seeds,tiny_model}.cpp \
  lib/infer/{architecture,mbq_file,quantize}.cpp -o "$build/write_seeds"
"$build/write_seeds" "$build/corpus"
exec "$build/fuzz_mbq" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 \
  -artifact_prefix="$build/findings/" -print_final_stats=1 "$build/corpus"
