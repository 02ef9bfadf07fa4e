// Tables of documents, written by the commands that stand beside them.
#include <catch2/catch.hpp>
#include <string>

#include "core/files.h"
#include "support/scratch.h"
#include "support/shell.h"

using namespace minibert;

namespace {

// A folder with a program that prints a table of its arguments, and a document.
struct Documents {
  testing::Scratch scratch;
  std::string path = scratch / "DOC.md";

  Documents() {
    write_file_atomically(scratch / "minibert",
                          "#!/bin/sh\n[ \"$1\" = compare ] || { echo \"minibert: $1: no such "
                          "command\" >&2; exit 2; }\necho \"| $2 |\"\n");
    shell("chmod +x " + single_quoted(scratch / "minibert"));
  }
  ShellResult tables(const std::string& text, const std::string& option = "") {
    write_file_atomically(path, text);
    return shell("BUILD=" + single_quoted(scratch / "") + " .setup/tables.py " + option + " " +
                 single_quoted(path));
  }
};

const std::string kWritten =
    "Before.\n<!-- minibert compare \"EM F1\" -->\n| EM F1 |\n<!-- /minibert -->\nAfter.\n";
const std::string kStale =
    "Before.\n<!-- minibert compare \"EM F1\" -->\n| 19.94 |\n<!-- /minibert -->\nAfter.\n";

}  // namespace

TEST_CASE("a table is written by the command beside it, the rest of the document stays") {
  Documents documents;
  CHECK(documents.tables(kStale).status == 0);
  CHECK(read_file(documents.path) == kWritten);
}

TEST_CASE("a table that is not what its command prints is told, and stays as it is") {
  Documents documents;
  CHECK(documents.tables(kWritten, "--check").status == 0);
  const auto told = documents.tables(kStale, "--check");
  CHECK(told.status == 1);
  CHECK(contains(told.output, "-| 19.94 |"));
  CHECK(contains(told.output, "+| EM F1 |"));
  CHECK(contains(told.output, "make tables"));
  CHECK(read_file(documents.path) == kStale);
}

TEST_CASE("a command that fails is told with its line, and nothing is written") {
  Documents documents;
  const std::string text = "<!-- minibert comapre -->\n| 1 |\n<!-- /minibert -->\n";
  const auto told = documents.tables(text);
  CHECK(told.status == 1);
  CHECK(contains(told.output, "DOC.md:1: minibert comapre"));
  CHECK(contains(told.output, "comapre: no such command"));
  CHECK(read_file(documents.path) == text);
}

TEST_CASE("a table without an end is refused") {
  Documents documents;
  const auto told = documents.tables("<!-- minibert compare EM -->\n| 1 |\n");
  CHECK(told.status == 1);
  CHECK(contains(told.output, "1 commands and 0 ends of tables"));
}
