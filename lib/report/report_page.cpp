#include "report/report_page.h"

#include "core/error.h"
#include "core/files.h"

namespace minibert {
namespace {

// JSON inside a <script>: "</script" and "<!--" must not end it.
std::string for_script(const nlohmann::json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string content_of(const std::string& name, const nlohmann::json& data,
                       const std::string& assets) {
  if (name == "data") return for_script(data);
  if (name == "vega" || name == "vega-lite")
    return read_file(assets + "/node_modules/" + name + "/build/" + name + ".min.js");
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
