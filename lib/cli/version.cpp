// minibert --version: the program, its libraries, and its device and precision.
#include <sstream>

#include "cli/commands.h"
#include "environment/environment.h"

namespace minibert {
namespace {

std::string version_text() {
  const auto versions = library_versions();
  const auto blas = detect_blas();
  const auto environment = choose_environment("auto", "auto");
  const auto version = [&](const char* name) { return versions.at(name).get<std::string>(); };
  std::ostringstream text;
  text << "minibert       " << version("minibert") << "\n"
       << "LibTorch       " << version("libtorch") << "\n"
       << "HDF5           " << version("hdf5") << "\n"
       << "SentencePiece  " << version("sentencepiece") << "\n"
       << "BLAS           " << blas.name << (blas.path.empty() ? "" : " (" + blas.path + ")")
       << "\n"
       << "compiler       " << version("compiler") << "\n"
       << "hardware       " << environment.hardware << ", " << environment.threads
       << (environment.threads == 1 ? " thread\n" : " threads\n") << "device         "
       << environment.device.str() << " (" << environment.device_why << ")\n"
       << "precision      " << to_string(environment.precision) << " (" << environment.precision_why
       << ")";
  const auto warning = blas_warning(blas);
  if (!warning.empty()) text << "\nwarning: " << warning;
  return text.str();
}

}  // namespace

void add_version(CLI::App& app) {
  app.set_version_flag("--version", version_text,
                       "Print the versions of the program and its libraries, device and precision");
}

}  // namespace minibert
