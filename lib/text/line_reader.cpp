#include "text/line_reader.h"

#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace minibert {
namespace {

constexpr size_t kBlock = size_t{1} << 17;
constexpr size_t kLongestLine = size_t{64} << 20;

// A file's decompressed bytes, in blocks.
class Source {
 public:
  virtual ~Source() = default;
  // Up to `size` bytes; 0 at the end.
  virtual size_t read(char* out, size_t size) = 0;
};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(path + ": is a folder, not a file");
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw Error(path + ": cannot be read: " + std::strerror(errno));
  return file;
}

size_t read_block(std::FILE* file, const std::string& path, char* out, size_t size) {
  const size_t got = std::fread(out, 1, size, file);
  if (got < size && std::ferror(file) != 0)
    throw Error(path + ": cannot be read: " + std::strerror(errno));
  return got;
}

class PlainSource : public Source {
 public:
  PlainSource(File file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  size_t read(char* out, size_t size) override { return read_block(file_.get(), path_, out, size); }

 private:
  File file_;
  std::string path_;
};

class GzipSource : public Source {
 public:
  GzipSource(File file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), input_(kBlock) {
    // 15 window bits, and 16: a gzip header.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw Error(path_ + ": zlib cannot be started");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  size_t read(char* out, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        stream_.next_in = input_.data();
        stream_.avail_in = static_cast<uInt>(
            read_block(file_.get(), path_, reinterpret_cast<char*>(input_.data()), input_.size()));
        if (stream_.avail_in == 0) {
          if (!member_ended_) throw Error(path_ + ": gzip data end too early");
          return 0;
        }
      }
      if (member_ended_) inflateReset(&stream_);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        throw Error(path_ + ": damaged gzip data: " +
                    (stream_.msg != nullptr ? stream_.msg : "unknown reason"));
      member_ended_ = status == Z_STREAM_END;
    }
    return size - stream_.avail_out;
  }

 private:
  File file_;
  std::string path_;
  std::vector<Bytef> input_;
  z_stream stream_{};
  bool member_ended_ = false;
};

class ZstdSource : public Source {
 public:
  ZstdSource(File file, std::string path)
      : file_(std::move(file)),
        path_(std::move(path)),
        stream_(ZSTD_createDStream(), &ZSTD_freeDStream),
        buffer_(ZSTD_DStreamInSize()) {
    if (!stream_) throw Error(path_ + ": zstd cannot be started");
  }

  size_t read(char* out, size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0) {
      if (input_.pos == input_.size && !full_) {
        input_ = {buffer_.data(), read_block(file_.get(), path_, buffer_.data(), buffer_.size()),
                  0};
        if (input_.size == 0) {
          if (missing_ != 0) throw Error(path_ + ": zstd data end too early");
          return 0;
        }
      }
      missing_ = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(missing_))
        throw Error(path_ + ": damaged zstd data: " + ZSTD_getErrorName(missing_));
      full_ = output.pos == output.size;
    }
    return output.pos;
  }

 private:
  File file_;
  std::string path_;
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  size_t missing_ = 0;  // of the current frame; 0 between frames
  bool full_ = false;   // the last output filled its buffer, so zstd may hold more
};

std::unique_ptr<Source> open_source(const std::string& path) {
  File file = open_file(path);
  unsigned char magic[4] = {};
  const size_t got = std::fread(magic, 1, sizeof magic, file.get());
  std::rewind(file.get());
  if (got >= 2 && magic[0] == 0x1f && magic[1] == 0x8b)
    return std::make_unique<GzipSource>(std::move(file), path);
  if (got == 4 && magic[0] == 0x28 && magic[1] == 0xb5 && magic[2] == 0x2f && magic[3] == 0xfd)
    return std::make_unique<ZstdSource>(std::move(file), path);
  return std::make_unique<PlainSource>(std::move(file), path);
}

}  // namespace

struct LineReader::Impl {
  std::string path;
  std::unique_ptr<Source> source;
  std::vector<char> block = std::vector<char>(kBlock);
  size_t begin = 0;
  size_t end = 0;
  uint64_t line = 0;
};

LineReader::LineReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->source = open_source(path);
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
  if (in.line == 1 && line->starts_with("\xef\xbb\xbf")) line->erase(0, 3);
  return true;
}

uint64_t LineReader::line_number() const { return impl_->line; }
const std::string& LineReader::path() const { return impl_->path; }
std::string LineReader::where() const { return impl_->path + ":" + std::to_string(impl_->line); }

}  // namespace minibert
