// The course's Keras weights: other forms of a file that Keras saved, and what is refused. What such files compute:
// peers_test.cpp.
#include "checkpoint/keras.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/error.h"
#include "support/edited_record.h"
#include "support/message.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using namespace testing;

const std::string kPieces = "tests/peers/files/electra_vocab_and_settings/vocab.txt";

// The course's pretraining model as Keras saved it, changed by statements of Python on its h5py.File `f`.
struct KerasFile {
  explicit KerasFile(const std::string& statements) {
    std::filesystem::copy_file("tests/peers/files/keras/mini_bert.hdf5", path);
    edit_record(path, "a = f['bert'].attrs; names = list(a['weight_names']); " + statements);
  }
  Checkpoint read(int64_t heads = 0) const { return import_keras(path, {heads, kPieces}); }
  Scratch scratch;
  std::string path = scratch / "bert.hdf5";
};

}  // namespace

TEST_CASE("where and how Keras stores the same weights does not matter") {
  const std::string plain = weights_sha256(KerasFile("pass").read().weights);
  // As model.save has them, and with names of fixed length.
  CHECK(weights_sha256(KerasFile("layers = list(f); g = f.create_group('model_weights'); "
                                 "g.attrs['layer_names'] = f.attrs['layer_names']; "
                                 "del f.attrs['layer_names']; "
                                 "[f.move(name, 'model_weights/' + name) for name in layers]")
                           .read()
                           .weights) == plain);
  CHECK(weights_sha256(KerasFile("a['weight_names'] = np.array(names, 'S')").read().weights) ==
        plain);
  // One dense layer for queries, keys and values.
  CHECK(weights_sha256(
            KerasFile("[(f['bert'].create_dataset(names[i] + '.qkv', data=np.concatenate("
                      "[f['bert/' + names[i + k]][()] for k in (0, 2, 4)], -1)), "
                      "f['bert'].pop(names[i]), f.move('bert/' + names[i] + '.qkv', 'bert/' + "
                      "names[i])) for i in (5, 6, 21, 22)]; "
                      "a['weight_names'] = [n for i, n in enumerate(names) if i not in "
                      "(7, 8, 9, 10, 23, 24, 25, 26)]")
                .read()
                .weights) == plain);
}

TEST_CASE("heads are of 64, as in the course; others can be named, and must divide the width") {
  const KerasFile wide(
      "paths = ['bert/' + n for n in names] + ['pooled_nsp/' + n for n in "
      "f['pooled_nsp'].attrs['weight_names']]; "
      "values = {p: f[p][()] for p in paths}; [f.pop(p) for p in paths]; "
      "[f.create_dataset(p, data=np.tile(v, [16 if n == 8 else 1 for n in v.shape])) for p, v in "
      "values.items()]");
  CHECK(wide.read().model.d_model == 128);
  CHECK(wide.read().model.n_heads == 2);
  CHECK(wide.read(4).model.n_heads == 4);
  CHECK(message_of([&] { wide.read(3); }) == "--heads: found 3, expected a divisor of d_model 128");
  // Without a head for sentences there is no such task.
  const Checkpoint alone =
      KerasFile("f.attrs['layer_names'] = ['enc_tokens', 'segments', 'bert', 'mlm']").read();
  CHECK(alone.sentence_task == SentenceTask::none);
}

TEST_CASE("a file that is not the course's model is refused by layer and weight") {
  const auto refusal = [](const std::string& statements) {
    const KerasFile file(statements);
    const std::string message = message_of([&] { file.read(); });
    CHECK(message.find('\n') == std::string::npos);
    REQUIRE_THAT(message, Catch::StartsWith(file.path + ": "));
    return message.substr(file.path.size() + 2);
  };
  const auto with = [&](const std::string& weight, const std::string& value) {
    return refusal("w = f['bert/bert']; w.pop('" + weight + "'); w.create_dataset('" + weight +
                   "', " + value + ")");
  };
  CHECK(refusal("a['weight_names'] = names[:-1]") == "/bert: has 36 weights, expected more");
  CHECK(refusal("f['bert/bert/more:0'] = np.zeros(3, 'f4'); a['weight_names'] = names + "
                "['bert/more:0']") ==
        "/bert/bert/more:0: is left over, expected 37 weights in /bert");
  CHECK(
      refusal("names[5], names[6] = names[6], names[5]; a['weight_names'] = names") ==
      "/bert/bert/encoder_layer_0/multi_head_attention/dense/bias:0: expected a weight whose name "
      "ends in \"/kernel:0\" here");
  const std::string kernel = "encoder_layer_0/feed_forward/dense_5/kernel:0",
                    positions = "position_embedding/embedding/embeddings:0";
  CHECK(with(kernel, "data=np.zeros((12, 9), 'f4')") ==
        "/bert/bert/" + kernel + ": found shape [12,9], expected [12,8]");
  CHECK(with(kernel, "data=np.zeros((8, 12, 1), 'f4')") ==
        "/bert/bert/" + kernel + ": found shape [8,12,1], expected [12,8]");
  const std::string found = "/bert/bert/" + positions + ": ";
  CHECK(with(positions, "data=np.zeros((0, 8), 'f4')") ==
        found + "found shape [0,8], expected [-1,8]");
  CHECK(with(positions, "data=np.zeros((16, 8))") == found + "holds float64, expected float32");
  CHECK(with(positions, "data=np.full((16, 8), np.nan, 'f4')") ==
        found + "found a value that is not finite");
  // 2^66 bytes of which nothing is stored.
  CHECK_THAT(with(positions, "(1 << 62, 4), 'f4', chunks=(1 << 20, 4)"), Catch::StartsWith(found));
  CHECK(
      refusal("f['dense/kernel:0'] = np.zeros((8, 2), 'f4'); "
              "f['dense'].attrs['weight_names'] = ['kernel:0']; "
              "f.attrs['layer_names'] = list(f.attrs['layer_names']) + ['dense']") ==
      "/dense: found a layer with 1 weights, expected none but \"bert\" and \"pooled_nsp\" of the "
      "course's pretraining model");
  CHECK(refusal("f.attrs['layer_names'] = ['mlm']") ==
        "layer_names: has no layer \"bert\", expected the course's pretraining model");
  CHECK(refusal("del f.attrs['layer_names']") == "/ attribute layer_names: missing");
}

TEST_CASE("a file of Keras 3 is refused with what makes Keras 2 write it") {
  const auto refusal = [&](const std::string& path) {
    const std::string message = message_of([&] { import_keras(path, {}); });
    REQUIRE_THAT(message, Catch::StartsWith(path + ": found a file of Keras 3, expected"));
    CHECK_THAT(message, Contains("TF_USE_LEGACY_KERAS=1"));
  };
  refusal(KerasFile("a['weight_names'] = [n[:-2] for n in names]").path);  // NAME.h5
  refusal(KerasFile("f.create_group('layers')").path);                     // NAME.weights.h5
  const Scratch scratch;
  write_bytes(scratch / "x.keras", std::string("PK\x03\x04", 4));
  refusal(scratch / "x.keras");
}

TEST_CASE("a tokenizer of another size and what is no HDF5 file are refused") {
  const KerasFile file("pass");
  const Scratch scratch;
  write_bytes(scratch / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n");
  CHECK(message_of([&] {
          import_keras(file.path, {0, scratch / "vocab.txt"});
        }) == scratch / "vocab.txt" + ": found 6 pieces, expected 52 as " + file.path +
                  " has rows of token embeddings");
  write_bytes(scratch / "x.hdf5", "not HDF5");
  CHECK_THAT(message_of([&] { import_keras(scratch / "x.hdf5", {}); }),
             Catch::StartsWith(scratch / "x.hdf5" + ": "));
}

}  // namespace minibert
