#include "text/tokenizer.h"

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "text/piece_model.h"
#include "text/wordpiece_file.h"

namespace minibert {

struct Tokenizer::Impl {
  std::unique_ptr<const PieceModel> model;
  std::string bytes;
  std::string sha256;
  std::string name;
  bool is_wordpiece = false, is_byte_bpe = false;

  void check_id(int32_t id) const {
    if (id < 0 || id >= model->size())
      throw Error(name + ": piece id " + std::to_string(id) + " is not in 0…" +
                  std::to_string(model->size() - 1));
  }
};

Tokenizer Tokenizer::from_bytes(std::string bytes, const std::string& name) {
  auto impl = std::make_shared<Impl>();
  impl->name = name;
  impl->is_wordpiece = is_wordpiece_vocabulary(bytes) || is_wordpiece_json(bytes);
  impl->is_byte_bpe = !impl->is_wordpiece && is_tokenizer_json(bytes);
  impl->model = impl->is_wordpiece  ? load_wordpiece(bytes, name)
                : impl->is_byte_bpe ? load_byte_bpe(bytes, name)
                                    : load_sentencepiece(bytes, name);
  impl->sha256 = sha256_hex(bytes);
  impl->bytes = std::move(bytes);
  Tokenizer tokenizer;
  tokenizer.impl_ = std::move(impl);
  return tokenizer;
}

Tokenizer Tokenizer::from_file(const std::string& path) {
  return from_bytes(read_file(path), path);
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
  return impl_->model->encode(text);
}

std::vector<AlignedPiece> Tokenizer::encode_aligned(std::string_view text) const {
  return impl_->model->encode_aligned(text);
}

std::vector<NamedPiece> Tokenizer::encode_named(std::string_view text) const {
  return impl_->model->encode_named(text);
}

std::string Tokenizer::decode(const std::vector<int32_t>& ids) const {
  for (int32_t id : ids) impl_->check_id(id);
  return impl_->model->decode(ids);
}

const std::string& Tokenizer::piece(int32_t id) const {
  impl_->check_id(id);
  return impl_->model->piece(id);
}

const std::string& Tokenizer::readable(int32_t id) const {
  impl_->check_id(id);
  return impl_->model->readable(id);
}

bool Tokenizer::is_text(int32_t id) const {
  impl_->check_id(id);
  return impl_->model->is_text(id);
}

int32_t Tokenizer::lone_space() const { return impl_->model->lone_space(); }

int32_t Tokenizer::id(std::string_view piece) const { return impl_->model->id(piece); }

float Tokenizer::score(int32_t id) const {
  impl_->check_id(id);
  return impl_->model->score(id);
}

bool Tokenizer::is_wordpiece() const { return impl_->is_wordpiece; }
bool Tokenizer::is_byte_bpe() const { return impl_->is_byte_bpe; }

bool Tokenizer::is_bpe() const {
  if (is_byte_bpe()) return true;
  if (is_wordpiece()) return false;
  int32_t id = kFirstOrdinaryPiece;
  while (id < size() && score(id) == 0) ++id;
  if (id == size()) return false;
  for (float expected = -1; id < size(); ++id, --expected)
    if (score(id) != expected) return false;
  return true;
}

const std::vector<std::pair<int32_t, int32_t>>& Tokenizer::merges() const {
  return impl_->model->merges();
}

int32_t Tokenizer::size() const { return impl_->model->size(); }
const SpecialPieces& Tokenizer::special() const { return impl_->model->special(); }

bool Tokenizer::is_special(int32_t id) const {
  impl_->check_id(id);
  return impl_->model->is_special(id);
}

bool Tokenizer::starts_word(int32_t id) const {
  impl_->check_id(id);
  return impl_->model->starts_word(id);
}

const std::string& Tokenizer::bytes() const { return impl_->bytes; }
const std::string& Tokenizer::sha256() const { return impl_->sha256; }

}  // namespace minibert
