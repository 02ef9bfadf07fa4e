#include "report/report_page.h"

#include <zlib.h>

#include "core/base64.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shown_json.h"

namespace minibert {
namespace {

std::string gzipped(const std::string& bytes) {
  constexpr int kGzipWindow = 15 + 16, kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("zlib cannot be started");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int state = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (state != Z_STREAM_END) throw Error("zlib cannot compress the report's data");
  return out;
}

std::string content_of(const std::string& name, const nlohmann::json& data,
                       const std::string& assets) {
  if (name == "data") return base64(gzipped(shown_json(data, -1)));
  if (name == "vega" || name == "vega-lite") try {
      return read_file(assets + "/node_modules/" + name + "/build/" + name + ".min.js");
    } catch (const Error& error) {
      throw Error(std::string(error.what()) + " (`make report` installs it)");
    }
  return read_file(assets + "/" + name);
}

}  // namespace

std::string report_page(const nlohmann::json& data, const std::string& assets) {
  const std::string open = "/*{", close = "}*/", page = read_file(assets + "/report.html");
  std::string out;
  size_t at = 0;
  for (size_t begin; (begin = page.find(open, at)) != std::string::npos;) {
    const size_t end = page.find(close, begin);
    if (end == std::string::npos) throw Error(assets + "/report.html: \"/*{\" without \"}*/\"");
    const size_t name = begin + open.size();
    out += page.substr(at, begin - at) + content_of(page.substr(name, end - name), data, assets);
    at = end + close.size();
  }
  return out + page.substr(at);
}

}  // namespace minibert
