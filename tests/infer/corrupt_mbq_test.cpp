// Truncated, hostile and wrong-version files: named cases, each an error and never a crash.
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>

#include "change_file.h"
#include "infer/format/mbq_file.h"
#include "load_error.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using nlohmann::json;

namespace {

const std::string& good_file() {
  static const std::string bytes = random_mbq(
      small_model({{"d_model", 16}, {"embedding_size", 16}, {"d_ff", 24}}), MbqWeights::int8);
  return bytes;
}

// A file of version 2 with every shape that it adds.
const std::string& shaped_file() {
  static const std::string bytes = random_mbq(small_model({{"d_model", 16},
                                                           {"embedding_size", 16},
                                                           {"d_ff", 24},
                                                           {"position", "relative"},
                                                           {"local_layers", 1},
                                                           {"local_taps", 5},
                                                           {"conv", 3},
                                                           {"ffn", "geglu"},
                                                           {"head_gate", true}}),
                                              MbqWeights::int8);
  return bytes;
}

std::string with_header(const std::function<void(json&)>& change,
                        const std::string& good = good_file()) {
  return changed_header(good, change);
}

std::string with_metadata(const std::string& key, const json& value) {
  return changed_metadata(good_file(), key, value);
}

std::string with_model(const std::string& key, const json& value,
                       const std::string& good = good_file()) {
  return changed_json(good, "model", key, value);
}

// A list in a list in a list …, as text: json::dump() would need a stack as deep.
std::string nested_lists() {
  constexpr size_t kDepth = 400000;
  return std::string(kDepth, '[') + std::string(kDepth, ']');
}

std::string with_nested_dtype(const std::string& tensor) {
  json header = header_of(good_file());
  header[tensor]["dtype"] = "nested";
  std::string text = header.dump();
  const std::string placeholder = "\"nested\"";
  text.replace(text.find(placeholder), placeholder.size(), nested_lists());
  return with_header_text(std::move(text), data_of(good_file()));
}

std::string with_nested_model(const std::string& key) {
  json model = json::parse(header_of(good_file())["__metadata__"]["model"].get<std::string>());
  model[key] = "nested";
  std::string text = model.dump();
  const std::string placeholder = "\"nested\"";
  text.replace(text.find(placeholder), placeholder.size(), nested_lists());
  return with_metadata("model", text);
}

std::string with_float(const std::string& tensor, float value,
                       const std::string& good = good_file()) {
  return changed_float(good, tensor, value);
}

const std::string kScale = "bert.layers.0.attention.qkv.weight_scale";
const std::string kWeight = "bert.layers.0.attention.qkv.weight";
const std::string kLow = "bert.layers.0.attention.qkv.weight_low";

// One bit of a byte of the data, `from_end` bytes before the end.
std::string with_flipped_bit(size_t from_end) {
  std::string file = good_file();
  file[file.size() - from_end] ^= 4;
  return file;
}

std::string respelt_checksum(const std::string& digits) {
  std::string file = good_file();
  file.replace(file.find("\"crc32\":\"") + 9, 8, digits);
  return file;
}

struct Case {
  std::string name, file, expected;  // expected: part of the message
};

std::vector<Case> cases() {
  const std::string& good = good_file();
  uint64_t header_size = 0;
  std::memcpy(&header_size, good.data(), 8);
  std::string huge = good;
  std::memset(huge.data(), 0xff, 8);
  std::string long_header = good;
  const uint64_t beyond = good.size() - 7;
  std::memcpy(long_header.data(), &beyond, 8);
  std::string misaligned = good;
  const uint64_t odd = header_size - 1;
  std::memcpy(misaligned.data(), &odd, 8);
  std::string not_utf8 = good;
  not_utf8[8 + header_size / 2] = '\xff';
  const uint64_t max = ~uint64_t{0};
  return {
      {"empty", "", "0 bytes"},
      {"half a header", good.substr(0, 8 + header_size / 2), "header of"},
      {"half the data", good.substr(0, 8 + header_size + (good.size() - 8 - header_size) / 2),
       "data_offsets"},
      {"last byte missing", good.substr(0, good.size() - 1), "it is cut off or damaged"},
      {"one byte more", good + '\0', "the tensors end at"},
      {"a bit of a weight", with_flipped_bit(data_of(good).size() - 100), "the file is damaged"},
      {"a bit of the tokenizer", with_flipped_bit(5000), "the file is damaged"},
      {"another checksum", respelt_checksum("00000000"), "expected 00000000"},
      {"largest header length", huge, "not a .mbq"},
      {"header length beyond the file", long_header, "header of"},
      {"header length off alignment", misaligned, "multiple of 16"},
      {"header not UTF-8", not_utf8, "not a JSON object"},
      {"header a list", with_header_text("[1, 2]", data_of(good)), "not a JSON object"},
      {"header deeply nested", with_header_text(std::string(1 << 20, '['), data_of(good)),
       "not a JSON object"},
      {"a record instead", "\x89HDF\r\n\x1a\n" + std::string(1000, 'x'), "not a .mbq"},
      {"a page instead", "<!doctype html><title>404</title>", "it begins with \"<!doctyp\""},
      {"a series instead", std::string("MBQS\1\0\0\0", 8) + std::string(1000, 'x'), ".mbqs"},
      {"no metadata", with_header([](json& h) { h.erase("__metadata__"); }), "format"},
      {"metadata value a number", with_metadata("format", 1), "not a string"},
      {"another format", with_metadata("format", "pt"), "found \"pt\", expected \"minibert-mbq\""},
      {"wrong version", with_metadata("version", "3"), "found \"3\", expected \"1\""},
      {"a version to come", with_metadata("version", "7"),
       "found \"7\", expected \"1\" to \"6\": a newer minibert may read it"},
      {"unknown weights", with_metadata("weights", "int4"), "found \"int4\""},
      {"float promised, int8 there", with_metadata("weights", "float32"), "expected F32"},
      {"unknown activations", with_metadata("activations", "8"), "found \"8\", expected \"7\""},
      {"model not JSON", with_metadata("model", "{"), "model: found no JSON object"},
      {"a size nested deeply", with_nested_model("d_model"), "model.d_model: found array"},
      {"a choice nested deeply", with_nested_model("norm"), "model.norm: found array"},
      {"metrics not JSON", with_metadata("metrics", "x"), "metrics"},
      {"metrics a text", with_metadata("metrics", "{\"a\": \"b\"}"), "not a number"},
      {"card of another metric",
       with_metadata("card", R"([{"name": "a", "heading": "A", "split": "dev", "decimals": 1}])"),
       "card[0]"},
      {"card with too many decimals",
       with_metadata(
           "card", R"([{"name": "mlm_accuracy", "heading": "A", "split": "dev", "decimals": 99}])"),
       "card[0]"},
      {"kind lstm_qa", with_model("kind", "lstm_qa"), "model.kind"},
      {"vocabulary missing", with_model("vocab_size", json(json::value_t::discarded)),
       "model.vocab_size: found nothing"},
      {"vocabulary larger than the matrix", with_model("vocab_size", 60000), "found shape"},
      {"layers more than there are", with_model("n_layers", 3), "bert.layers.2"},
      {"layers fewer than there are", with_model("n_layers", 1), "tensors, expected"},
      {"d_model 2^64-1", with_model("d_model", max), "model.d_model"},
      {"d_model a fraction", with_model("d_model", 16.5), "model.d_model"},
      {"heads no divisor", with_model("n_heads", 3), "a divisor of d_model"},
      {"eps zero", with_model("layer_norm_eps", 0), "model.layer_norm_eps"},
      {"factorized without transform", with_model("embedding_size", 8), "model.mlm_transform"},
      {"an architecture of the future", with_model("recurrent", true),
       "model.recurrent: found a key that this program does not know"},
      {"norm unknown", with_model("norm", "sandwich"), "model.norm"},
      {"ReLU", with_model("activation", "relu"), "model.activation"},
      {"left-to-right attention", with_model("causal", true), "model.causal"},
      {"tensor missing", with_header([](json& h) { h.erase(kScale); }), "right behind"},
      {"tensor renamed", with_header([](json& h) {
         h["other"] = h[kScale];
         h.erase(kScale);
       }),
       "missing"},
      {"tensor more", with_header([](json& h) {
         h["more"] = {{"dtype", "U8"}, {"shape", {0}}, {"data_offsets", {0, 0}}};
       }),
       "tensors, expected"},
      {"tensor no object", with_header([](json& h) { h[kScale] = 5; }), "expected an object"},
      {"dtype unknown", with_header([](json& h) { h[kScale]["dtype"] = "F16"; }), "found dtype"},
      {"dtype nested deeply", with_nested_dtype(kScale), "found dtype array"},
      {"dtype of the same size", with_header([](json& h) { h[kWeight]["dtype"] = "U8"; }),
       "expected I8"},
      {"low bytes of another shape", with_header([](json& h) {
         h[kLow]["shape"] = {16, 48};
       }),
       "found shape [16, 48], expected [48, 16]"},
      {"low bytes of a vector", with_header([](json& h) {
         h["bert.embeddings.norm.weight_low"] = h[kLow];
         h.erase(kLow);
       }),
       "tensors, expected"},
      {"shape another", with_header([](json& h) {
         h[kWeight]["shape"] = {16, 48};
       }),
       "found shape [16, 48], expected [48, 16]"},
      {"shape too large", with_header([](json& h) {
         h[kWeight]["shape"] = {48, 17};
       }),
       "shape asks"},
      {"shape overflowing", with_header([&](json& h) {
         h[kWeight]["shape"] = {max, max, 16};
       }),
       "more bytes than the file"},
      {"shape wrapping to the right size", with_header([&](json& h) {
         h[kWeight]["shape"] = {uint64_t{1} << 62, 4, 768};
       }),
       "more bytes than the file"},
      {"shape with a zero", with_header([](json& h) {
         h[kWeight]["shape"] = {48, 0};
       }),
       "shape asks for 0 bytes, its offsets give 768"},
      {"shape with a zero beside a size that overflows", with_header([&](json& h) {
         h[kWeight]["shape"] = {0, max, max};
       }),
       "shape asks for 0 bytes"},
      {"shape of fractions", with_header([](json& h) {
         h[kWeight]["shape"] = {48.0, 16.0};
       }),
       "shape is not"},
      {"shape an object", with_header([](json& h) {
         h[kWeight]["shape"] = {{"rows", 48}};
       }),
       "shape is not"},
      {"offsets that wrap", with_header([&](json& h) {
         h[kWeight]["data_offsets"] = {max - 767, max};
       }),
       "it is cut off or damaged"},
      {"offsets reversed", with_header([](json& h) {
         h[kWeight]["data_offsets"] = {h[kWeight]["data_offsets"][1],
                                       h[kWeight]["data_offsets"][0]};
       }),
       "data_offsets"},
      {"offsets negative", with_header([](json& h) {
         h[kWeight]["data_offsets"] = {-768, 0};
       }),
       "not a pair"},
      {"offsets overlapping", with_header([](json& h) {
         const size_t begin = h[kWeight]["data_offsets"][0];
         h[kWeight]["data_offsets"] = {begin - 16, begin + 752};
       }),
       "right behind"},
      {"two names for the same bytes",
       with_header([](json& h) { h["bert.layers.0.attention.output.weight"] = h[kWeight]; }), ""},
      {"end padding too short", with_header([](json& h) {
         for (auto& [name, entry] : h.items())
           if (name.starts_with("padding.") && entry["shape"][0] >= 64) {
             const size_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
             h["padding.x"] = {{"dtype", "U8"}, {"shape", {16}}, {"data_offsets", {end - 16, end}}};
             entry = {{"dtype", "U8"},
                      {"shape", {end - 16 - begin}},
                      {"data_offsets", {begin, end - 16}}};
             break;
           }
       }),
       "padding of 64 bytes"},
      {"scale NaN", with_float(kScale, NAN), "not finite"},
      {"scale zero", with_float(kScale, 0), "not above 0"},
      {"bias NaN", with_float("bert.layers.1.ffn.outer.bias", NAN), "not finite"},
  };
}

std::vector<Case> shaped_cases() {
  const std::string& good = shaped_file();
  const auto model = [&](const std::string& key, const json& value) {
    return with_model(key, value, good);
  };
  const auto tensor = [&](const std::string& name, const std::function<void(json&)>& change) {
    return with_header([&](json& header) { change(header[name]); }, good);
  };
  const auto shape = [&](const std::string& name, const json& sizes) {
    return tensor(name, [&](json& entry) { entry["shape"] = sizes; });
  };
  const std::string local = "bert.layers.0.local.", attention = "bert.layers.1.attention.";
  return {
      {"version 1 with shapes of version 2",
       with_header([](json& h) { h["__metadata__"]["version"] = "1"; }, good),
       "__metadata__.version: found \"1\", expected \"2\" for this architecture"},
      {"position unknown", model("position", "rotary"),
       "model.position: found \"rotary\", expected \"table\" or \"relative\""},
      {"a position table that is not there", model("position", "table"),
       "bert.embeddings.position.weight\": missing"},
      {"local layers more than layers", model("local_layers", 3),
       "model.local_layers: found 3, expected an integer from 0 to 2"},
      {"local layers more than there are", model("local_layers", 2), "bert.layers.1.local.value"},
      {"local layers fewer than there are", model("local_layers", 0),
       "bert.layers.0.attention.qkv"},
      {"local taps even", model("local_taps", 4),
       "model.local_taps: found 4, expected an odd number"},
      {"local taps others than there are", model("local_taps", 7),
       "found shape [5, 16], expected [7, 16]"},
      {"taps even", model("conv", 2), "model.conv: found 2, expected an odd number or 0"},
      {"taps others than there are", model("conv", 5), "found shape [3, 48], expected [5, 48]"},
      {"no convolution promised", model("conv", 0), "tensors, expected"},
      {"FFN unknown", model("ffn", "swiglu"), "model.ffn: found \"swiglu\""},
      {"FFN twice as wide as promised", model("ffn", "gelu"),
       "found shape [48, 16], expected [24, 16]"},
      {"head gate a number", model("head_gate", 1),
       "model.head_gate: found 1, expected true or false"},
      {"no head gate promised", model("head_gate", false), "tensors, expected"},
      {"heads others than the gate's", model("n_heads", 8),
       "found shape [4, 32], expected [8, 32]"},
      {"convolution renamed",
       with_header(
           [&](json& h) {
             h["other"] = h[attention + "conv"];
             h.erase(attention + "conv");
           },
           good),
       attention + "conv\": missing"},
      {"convolution turned", shape(local + "conv", {16, 5}),
       "found shape [16, 5], expected [5, 16]"},
      {"offsets of other buckets", shape(attention + "offsets", {8, 16}),
       "found shape [8, 16], expected [4, 32]"},
      {"gate NaN", with_float(attention + "gate.weight", NAN, good), "not finite"},
  };
}

// A file of version 5 with a bonus on shown pieces.
const std::string& bonus_file() {
  static const std::string bytes = random_mbq(
      small_model({{"d_model", 16}, {"embedding_size", 16}, {"d_ff", 24}, {"mlm_context", 2}}),
      MbqWeights::int8);
  return bytes;
}

std::vector<Case> bonus_cases() {
  const std::string& good = bonus_file();
  const auto rank = [&](const json& value) { return with_model("mlm_context", value, good); };
  const std::string query = "mlm.context.query.", key = "mlm.context.key.";
  return {
      {"version 2 with a bonus",
       with_header([](json& h) { h["__metadata__"]["version"] = "2"; }, good),
       "__metadata__.version: found \"2\", expected \"5\" for this architecture"},
      {"version 5 without a bonus", with_metadata("version", "5"), "expected \"1\""},
      {"rank negative", rank(-1), "model.mlm_context: found -1, expected an integer from 0 to 64"},
      {"no rank promised", rank(0), "__metadata__.version: found \"5\", expected \"1\""},
      {"another rank than there is", rank(3), "found shape [2, 16], expected [3, 16]"},
      {"query turned",
       with_header(
           [&](json& h) {
             h[query + "weight"]["shape"] = {16, 2};
           },
           good),
       "found shape [16, 2], expected [2, 16]"},
      {"query NaN", with_float(query + "weight", NAN, good), "not finite"},
  };
}

}  // namespace

TEST_CASE("the file that the cases start from is good") {
  CHECK(load_error(good_file()) == "");
  CHECK(load_error(with_header([](json&) {})) == "");
  CHECK(load_error(shaped_file()) == "");
  const json plain = header_of(good_file()), shaped = header_of(shaped_file());
  CHECK(plain["__metadata__"]["version"] == "1");
  CHECK(shaped["__metadata__"]["version"] == "2");
  CHECK(load_error(bonus_file()) == "");
  CHECK(header_of(bonus_file())["__metadata__"]["version"] == "5");
  CHECK(shaped["bert.layers.0.local.value.weight"]["dtype"] == "I8");
  CHECK(shaped["bert.layers.0.local.conv"]["dtype"] == "F32");
  // A plain model may say that its file has version 2.
  CHECK(load_error(with_metadata("version", "2")) == "");
}

TEST_CASE("broken model files are errors that say what is wrong") {
  std::vector<Case> all = cases();
  for (Case& item : shaped_cases()) all.push_back(std::move(item));
  for (Case& item : bonus_cases()) all.push_back(std::move(item));
  for (const Case& item : all) {
    const std::string message = load_error(item.file);
    INFO(item.name << ": " << message);
    CHECK_FALSE(message.empty());
    CHECK(message.find(item.expected) != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.size() < 400);
  }
}

TEST_CASE("a file cut at any byte of its header or data is an error") {
  const std::string& good = good_file();
  size_t loaded = 0;
  for (size_t size = 0; size < good.size(); size += 1 + size / 97)
    loaded += load_error(good.substr(0, size)).empty();
  CHECK(loaded == 0);
}

TEST_CASE("an unaligned file is refused") {
  const AlignedBytes file(" " + good_file());
  infer::Model model;
  const auto status = model.load(file.span().subspan(1));
  CHECK(status.message() == "the file's memory is not aligned to 16 bytes");
}

TEST_CASE("the checksum is zlib's, of the whole file with eight zeros in its own place") {
  const std::string text = "123456789";  // the check value that the catalogues of CRCs give
  CHECK(infer::crc32_text(infer::crc32(bytes_of(text))) == "cbf43926");
  CHECK(infer::crc32(bytes_of(text.substr(4)), infer::crc32(bytes_of(text.substr(0, 4)))) ==
        infer::crc32(bytes_of(text)));
  CHECK(infer::crc32({}) == 0);
  std::string file = good_file();
  const std::string sum = header_of(file)["__metadata__"]["crc32"];
  file.replace(file.find("\"crc32\":\"" + sum) + 9, 8, "00000000");
  CHECK(infer::crc32_text(infer::crc32(bytes_of(file))) == sum);
}

TEST_CASE("a bit of the header that leaves it well formed is damage, too") {
  std::string file = good_file();
  const size_t at = file.find("layer_norm_eps\\\":0.0");
  REQUIRE(at != file.npos);
  file[at + 19] = '9';
  CHECK_THAT(load_error(file), Catch::Contains("the file is damaged"));
  std::string respelt = good_file();
  const size_t source = respelt.find("test/quick");
  respelt[source] = 'T';
  CHECK_THAT(load_error(respelt), Catch::Contains("the file is damaged"));
}

TEST_CASE("a file of an earlier program, which has no checksum, is loaded") {
  CHECK(load_error(with_metadata("crc32", json(json::value_t::discarded))).empty());
}
