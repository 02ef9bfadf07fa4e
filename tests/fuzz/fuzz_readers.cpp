// Built for libFuzzer by tests/fuzz/run.sh, and into test_fuzz_readers for a fixed number of mutations.
#include "fuzz_readers.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "checkpoint/safetensors.h"
#include "core/error.h"
#include "core/files.h"
#include "data/files/table.h"
#include "data/files/tagged_file.h"
#include "data/questions/korquad.h"
#include "text/byte_bpe_file.h"
#include "text/byte_words.h"
#include "text/pieces.h"
#include "text/wordpiece_file.h"

namespace minibert::test {
namespace {

std::string small_safetensors() {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"F16","shape":[2],"data_offsets":[8,12]},)"
      R"("c":{"dtype":"BF16","shape":[0,3],"data_offsets":[12,12]}})";
  const uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header +
         std::string("\0\0\x80\x3f\0\0\0\xc0\0\x3c\0\xb8", 12);
}

constexpr char kWordPieceJson[] =
    R"({"added_tokens":[{"id":1,"content":"[UNK]"}],"normalizer":{"type":"BertNormalizer",)"
    R"("clean_text":true,"lowercase":false,"strip_accents":false,"handle_chinese_chars":true},)"
    R"("pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]",)"
    R"("continuing_subword_prefix":"##","max_input_chars_per_word":100,)"
    R"("vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"[MASK]":4,"한":5,"##국":6}}})";
// A piece for each byte, and one of two.
std::string small_byte_bpe() {
  ByteBpe bpe;
  for (const auto& name : kSpecialPieceNames) bpe.pieces.emplace_back(name);
  for (const uint8_t byte : byte_symbols())
    bpe.pieces.push_back(byte_letters(std::string(1, static_cast<char>(byte))));
  const auto id = [&](const char* piece) {
    return static_cast<int32_t>(std::ranges::find(bpe.pieces, piece) - bpe.pieces.begin());
  };
  bpe.merges = {{id("a"), id("b")}};
  bpe.pieces.emplace_back("ab");
  return to_tokenizer_json(bpe);
}

constexpr char kQuestions[] =
    R"({"version":"1","data":[{"title":"한글","paragraphs":[{"context":"세종이 한글을 만들었다.","qas":)"
    R"([{"id":"1","question":"누가?","answers":[{"text":"세종","answer_start":0}]},{"id":"2",)"
    R"("question":"왜?","is_impossible":true,"answers":[]}]}]}]})";

}  // namespace

const std::vector<FuzzedReader>& fuzzed_readers() {
  static const std::vector<FuzzedReader> all = {
      {"safetensors", ".safetensors", {small_safetensors()}, {[](const std::string& path) {
         const SafetensorsFile file(path);
         for (const auto& [name, entry] : file.tensors()) file.read(name);
       }}},
      {"questions",
       ".json",
       {kQuestions},
       {[](auto& path) { read_korquad(path); }, [](auto& path) { read_questions(path); }}},
      {"tables",
       ".csv",
       {"text,label\n\"네, \"\"좋아\"\"\n해요\",1\n별로,0\n", "text;label\n하나;가\n\n둘;나\n"},
       {[](auto& path) { read_table(path); }}},
      {"rows",
       ".jsonl",
       {"{\"text\": \"좋아\", \"n\": [1, 2.5]}\n{\"text\": null}\n"},
       {[](auto& path) { read_table(path, {.keep_blank = true}); }}},
      {"tags",
       ".conll",
       {"이순신\tB-PS\n은\tO\n\n서\tB-LC\n", "박\tB-PS\n씨\tI-PS\n",
        "1-2\t갔다\t_\t_\t_\t_\t_\t_\t_\t_\n1\t가\t_\tVERB\t_\t_\t_\t_\t_\t_\n2\t다\t_\tAUX\t_\t_"
        "\t_\t_\t_\t_\n"},
       {[](auto& path) {
         read_tagged_file(path, tag_form_of(path), {}, "train", 1, [](const std::string&) {});
       }}},
      {"vocabulary",
       ".txt",
       {"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n한\r\n##국\n"},
       {[](auto& path) { read_wordpiece_lines(read_file(path), path); },
        [](auto& path) { read_wordpiece_rows(read_file(path), path); }}},
      {"tokenizer",
       ".json",
       {kWordPieceJson, small_byte_bpe()},
       {[](auto& path) { to_wordpiece_json(read_wordpiece_json(read_file(path), path)); },
        [](auto& path) { to_tokenizer_json(read_tokenizer_json(read_file(path), path)); }}},
  };
  return all;
}

size_t read_fuzzed(const FuzzedReader& reader, std::string_view bytes) {
  const std::string path = std::filesystem::temp_directory_path() /
                           ("minibert-fuzz-" + std::to_string(getpid()) + reader.ending);
  std::ofstream(path, std::ios::binary) << bytes;
  size_t count = 0;
  for (const auto& read : reader.reads) try {
      read(path);
      ++count;
    } catch (const Error& error) {
      if (std::string(error.what()).find('\n') == std::string::npos) continue;
      std::fputs(error.what(), stderr);
      std::abort();
    }
  std::filesystem::remove(path);
  return count;
}

}  // namespace minibert::test

#ifdef MINIBERT_FUZZER
// $MINIBERT_FUZZED names the row. Its seeds are written into the folder that is the last argument.
static const minibert::test::FuzzedReader& reader() {
  static const minibert::test::FuzzedReader& found = *std::ranges::find(
      minibert::test::fuzzed_readers(), std::string(std::getenv("MINIBERT_FUZZED")),
      [](const auto& one) { return std::string(one.name); });
  return found;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  int number = 0;
  for (const std::string& seed : reader().seeds)
    std::ofstream(std::string((*argv)[*argc - 1]) + "/seed" + std::to_string(number++),
                  std::ios::binary)
        << seed;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  minibert::test::read_fuzzed(reader(), {reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
