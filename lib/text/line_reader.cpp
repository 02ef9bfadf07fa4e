#include "text/line_reader.h"

#include <string_view>
#include <vector>

#include "core/error.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

constexpr size_t kLineBlock = size_t{1} << 17;
constexpr size_t kLongestLine = size_t{64} << 20;

}  // namespace

struct LineReader::Impl {
  std::string path;
  std::unique_ptr<ByteSource> source;
  std::vector<char> block = std::vector<char>(kLineBlock);
  size_t begin = 0;
  size_t end = 0;
  uint64_t line = 0;
};

LineReader::LineReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->source = open_bytes(path);
}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

bool LineReader::next(std::string* line) {
  Impl& in = *impl_;
  line->clear();
  bool any = false;
  while (true) {
    if (in.begin == in.end) {
      in.begin = 0;
      in.end = in.source->read(in.block.data(), in.block.size());
      if (in.end == 0) {
        if (!any) return false;
        break;
      }
    }
    if (!any) ++in.line;
    any = true;
    const std::string_view rest(in.block.data() + in.begin, in.end - in.begin);
    const size_t newline = rest.find('\n');
    line->append(rest.substr(0, newline));
    if (line->size() > kLongestLine)
      throw Error(where() + ": a line of more than 64 MiB; expected text");
    if (newline != std::string_view::npos) {
      in.begin += newline + 1;
      break;
    }
    in.begin = in.end;
  }
  if (!line->empty() && line->back() == '\r') line->pop_back();
  if (in.line == 1) drop_byte_order_mark(line);
  return true;
}

uint64_t LineReader::line_number() const { return impl_->line; }
const std::string& LineReader::path() const { return impl_->path; }
std::string LineReader::where() const { return impl_->path + ":" + std::to_string(impl_->line); }

}  // namespace minibert
