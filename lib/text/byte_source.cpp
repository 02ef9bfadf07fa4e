#include "text/byte_source.h"

#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace minibert {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view kBzip2Magic = "BZh";
constexpr size_t kMagicBytes = kZstdMagic.size();
constexpr size_t kBlock = size_t{1} << 17;

// The bytes of a file as they are stored. Repeats the first ones: a pipe cannot go back.
class Input {
 public:
  explicit Input(const std::string& path) : path_(path), file_(nullptr, &std::fclose) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
      throw Error(path + ": is a folder, not a file");
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file_) throw system_error(path + ": cannot be read");
    first_.resize(kMagicBytes);
    first_.resize(read_file(first_.data(), first_.size()));
  }

  const std::string& path() const { return path_; }
  bool starts_with(std::string_view magic) const { return first_.starts_with(magic); }

  // Up to `size` bytes, fewer only at the end.
  size_t read(char* out, size_t size) {
    const size_t again = first_.copy(out, size);
    first_.erase(0, again);
    return again + read_file(out + again, size - again);
  }

 private:
  size_t read_file(char* out, size_t size) {
    const size_t got = std::fread(out, 1, size, file_.get());
    if (got < size && std::ferror(file_.get()) != 0) throw system_error(path_ + ": cannot be read");
    return got;
  }

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string first_;
};

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(Input input) : input_(std::move(input)) {}
  size_t read(char* out, size_t size) override { return input_.read(out, size); }

 private:
  Input input_;
};

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(Input input) : input_(std::move(input)), buffer_(kBlock) {
    // 15 window bits, and 16: a gzip header.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK)
      throw Error(input_.path() + ": zlib cannot be started");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  size_t read(char* out, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        stream_.next_in = buffer_.data();
        stream_.avail_in =
            static_cast<uInt>(input_.read(reinterpret_cast<char*>(buffer_.data()), buffer_.size()));
        if (stream_.avail_in == 0) {
          if (!member_ended_) throw Error(input_.path() + ": gzip data end too early");
          return 0;
        }
      }
      if (member_ended_) inflateReset(&stream_);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        throw Error(input_.path() + ": damaged gzip data: " +
                    (stream_.msg != nullptr ? stream_.msg : "unknown reason"));
      member_ended_ = status == Z_STREAM_END;
    }
    return size - stream_.avail_out;
  }

 private:
  Input input_;
  std::vector<Bytef> buffer_;
  z_stream stream_{};
  bool member_ended_ = false;
};

class ZstdSource : public ByteSource {
 public:
  explicit ZstdSource(Input input)
      : input_(std::move(input)),
        stream_(ZSTD_createDStream(), &ZSTD_freeDStream),
        buffer_(ZSTD_DStreamInSize()) {
    if (!stream_) throw Error(input_.path() + ": zstd cannot be started");
  }

  size_t read(char* out, size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0) {
      if (block_.pos == block_.size && !full_) {
        block_ = {buffer_.data(), input_.read(buffer_.data(), buffer_.size()), 0};
        if (block_.size == 0) {
          if (missing_ != 0) throw Error(input_.path() + ": zstd data end too early");
          return 0;
        }
      }
      missing_ = ZSTD_decompressStream(stream_.get(), &output, &block_);
      if (ZSTD_isError(missing_))
        throw Error(input_.path() + ": damaged zstd data: " + ZSTD_getErrorName(missing_));
      full_ = output.pos == output.size;
    }
    return output.pos;
  }

 private:
  Input input_;
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer block_{nullptr, 0, 0};
  size_t missing_ = 0;  // of the current frame; 0 between frames
  bool full_ = false;   // the last output filled its buffer, so zstd may hold more
};

class Bzip2Source : public ByteSource {
 public:
  explicit Bzip2Source(Input input) : input_(std::move(input)), buffer_(kBlock) { begin_stream(); }
  ~Bzip2Source() override { BZ2_bzDecompressEnd(&stream_); }

  size_t read(char* out, size_t size) override {
    stream_.next_out = out;
    stream_.avail_out = static_cast<unsigned>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        stream_.next_in = buffer_.data();
        stream_.avail_in = static_cast<unsigned>(input_.read(buffer_.data(), buffer_.size()));
        if (stream_.avail_in == 0) {
          if (!ended_) throw Error(input_.path() + ": bzip2 data end too early");
          return 0;
        }
      }
      // Dumps are many streams one after the other.
      if (ended_) {
        BZ2_bzDecompressEnd(&stream_);
        begin_stream();
      }
      const int status = BZ2_bzDecompress(&stream_);
      if (status != BZ_OK && status != BZ_STREAM_END)
        throw Error(input_.path() + ": damaged bzip2 data");
      ended_ = status == BZ_STREAM_END;
    }
    return size - stream_.avail_out;
  }

 private:
  void begin_stream() {
    stream_.bzalloc = nullptr, stream_.bzfree = nullptr, stream_.opaque = nullptr;
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK)
      throw Error(input_.path() + ": bzip2 cannot be started");
    ended_ = false;
  }

  Input input_;
  std::vector<char> buffer_;
  bz_stream stream_{};
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  Input input(path);
  if (input.starts_with(kGzipMagic)) return std::make_unique<GzipSource>(std::move(input));
  if (input.starts_with(kZstdMagic)) return std::make_unique<ZstdSource>(std::move(input));
  if (input.starts_with(kBzip2Magic)) return std::make_unique<Bzip2Source>(std::move(input));
  return std::make_unique<PlainSource>(std::move(input));
}

std::string read_unpacked(const std::string& path, size_t limit) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  std::string bytes, block(kBlock, '\0');
  while (const size_t got = source->read(block.data(), block.size())) {
    bytes.append(block, 0, got);
    if (bytes.size() > limit)
      throw Error(path + ": holds more than " + std::to_string(limit) + " bytes, unpacked");
  }
  return bytes;
}

}  // namespace minibert
