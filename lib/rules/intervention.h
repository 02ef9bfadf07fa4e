// What is changed inside a BERT while it reads a text, to see what its parts are for. The page's engine
// (infer/engine) and LibTorch (model/bert.h) obey it alike. Layers and heads count from 0 here, and from 1 where
// people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

struct Intervention {
  struct Head {
    int32_t layer = 0, head = 0;
    bool operator==(const Head&) const = default;
  };
  // Activation patching: this vector [D] takes a position's place in the residual stream. Stage 0 is what
  // enters the first layer, stage n what leaves layer n (with norm "pre" before the final LayerNorm).
  struct Patch {
    int32_t stage = 0, position = 0;
    std::vector<float> state_D;
  };
  // A layer that is off adds nothing: both its residual branches, what mixes positions and the feed-forward,
  // are zero. With norm "post" the LayerNorms that follow the sums still run.
  std::vector<int32_t> layers;
  // A head that is off is zero before the output projection, whose bias stays. Its probabilities are as ever.
  std::vector<Head> heads;
  std::vector<Patch> patches;

  bool empty() const { return layers.empty() && heads.empty() && patches.empty(); }
  bool layer_is_off(int32_t layer) const;
};

// Where patches come from: another text, which the untouched model reads.
struct Swap {
  std::string text;  // empty: nothing is swapped
  int32_t stage = 0;
  // From positions of `text` to positions of the text that is read, [CLS] being 0; empty: every position to
  // itself, for which both texts must have as many pieces.
  std::vector<std::pair<int32_t, int32_t>> moves;

  bool empty() const { return text.empty(); }
};

// The shape that an intervention is for.
struct LayersAndHeads {
  int32_t layers = 0, local_layers = 0, heads = 0;  // local layers, the first ones, have no heads
};

// Tells in one line, with layers and heads from 1, which part of the intervention the model does not have;
// empty: none.
std::string misfit(const Intervention& what, const LayersAndHeads& model);
std::string misfit(const Swap& swap, const LayersAndHeads& model);

// The positions that a swap moves between a text of `from` pieces and one of `to`; an error in one line, or
// empty.
std::string resolve(const Swap& swap, int32_t from, int32_t to,
                    std::vector<std::pair<int32_t, int32_t>>* moves);

// Reads "2" as a layer that is off and "2.1" as a head, from 1, as users write them. False: neither.
bool read_layer(std::string_view text, Intervention* what);
bool read_head(std::string_view text, Intervention* what);
// Reads "3", a position in both texts, or "3:5", from one to another.
bool read_move(std::string_view text, Swap* swap);

// Read lists of these with commas between them, as links have them: "2,1.3" and "3,5:6". False, and nothing is
// changed: a part is neither.
bool read_parts(std::string_view list, Intervention* what);
bool read_moves(std::string_view list, Swap* swap);
// Writes what read_parts() reads.
std::string written(const Intervention& what);

}  // namespace minibert
