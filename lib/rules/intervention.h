// Changes inside a BERT while it reads a text, to show the role of its parts. The page's engine
// (infer/engine) and LibTorch (model/bert.h) apply them alike. Layers and heads count from 0 here,
// and from 1 where people read them.
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
  // Activation patching: the vector [D] replaces the residual stream at a position. Stage 0 enters
  // the first layer; stage n leaves layer n (with norm "pre" before the final LayerNorm).
  struct Patch {
    int32_t stage = 0, position = 0;
    std::vector<float> state_D;
  };
  // Layers that are off. Such a layer adds nothing: both residual branches (the mixing of positions
  // and the feed-forward) are zero. With norm "post" the LayerNorms after the sums still run.
  std::vector<int32_t> layers;
  // Heads that are off: zero before the output projection, whose bias stays. Probabilities stay.
  std::vector<Head> heads;
  std::vector<Patch> patches;

  bool empty() const { return layers.empty() && heads.empty() && patches.empty(); }
  bool layer_is_off(int32_t layer) const;
};

// Takes patches from another text, which the unchanged model reads.
struct Swap {
  std::string text;  // empty: no swap
  int32_t stage = 0;
  // From positions of `text` to positions of the input text; [CLS] is 0. Empty: every position to
  // itself, which needs texts with equally many pieces.
  std::vector<std::pair<int32_t, int32_t>> moves;

  bool empty() const { return text.empty(); }
};

// The shape of a model, for checks of an intervention.
struct LayersAndHeads {
  int32_t layers = 0, local_layers = 0, heads = 0;  // the first `local_layers` layers have no heads
};

// Names in one line the part of the intervention that the model does not have (layers and heads
// from 1); "" if there is none.
std::string misfit(const Intervention& what, const LayersAndHeads& model);
std::string misfit(const Swap& swap, const LayersAndHeads& model);

// Resolves a swap between texts of `from` and of `to` pieces into moves. Returns an error line, or
// "".
std::string resolve(const Swap& swap, int32_t from, int32_t to,
                    std::vector<std::pair<int32_t, int32_t>>* moves);

// Read "2" as a layer and "2.1" as a head that is off, from 1, as users write them. Return false
// for other text.
bool read_layer(std::string_view text, Intervention* what);
bool read_head(std::string_view text, Intervention* what);
// Reads "3", a position in both texts, or "3:5", from one position to another.
bool read_move(std::string_view text, Swap* swap);

// Read comma-separated lists as links have them: "2,1.3" and "3,5:6". If a part is invalid, return
// false and change nothing.
bool read_parts(std::string_view list, Intervention* what);
bool read_moves(std::string_view list, Swap* swap);
// Writes the form that read_parts() reads.
std::string written(const Intervention& what);

}  // namespace minibert
