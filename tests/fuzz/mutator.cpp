// libFuzzer's mutations, applied to the header's text (whose length is then put right) or to the
// data: blind ones would seldom get past the header's length.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  uint64_t header = 0;
  if (size >= 8) std::memcpy(&header, data, 8);
  if (size < 8 || header > size - 8 || seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string rest(reinterpret_cast<char*>(data) + 8 + header, size - 8 - header);
  std::string text(reinterpret_cast<char*>(data) + 8, header);
  if (seed % 2 == 0) {
    text.resize(text.size() + 256);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), header, text.size()));
    while ((8 + text.size()) % 16 != 0) text += ' ';
  } else if (!rest.empty()) {
    LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(rest.data()), rest.size(), rest.size());
  }
  header = text.size();
  std::string file(reinterpret_cast<char*>(&header), 8);
  file += text + rest;
  const size_t length = std::min(file.size(), max_size);
  std::memcpy(data, file.data(), length);
  return length;
}
