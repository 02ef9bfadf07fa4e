// The source tree's state in a run's record, on small repositories made for the tests.
#include <catch2/catch.hpp>

#include "environment/build_info.h"
#include "environment/environment.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace {

using namespace minibert;

// A repository with one committed file.
class Repository {
 public:
  Repository() {
    dir_.write("model.cpp", "int heads = 4;\n");
    git("init -q . && git add . && git -c user.name=t -c user.email=t@t commit -q -m first");
  }
  std::string git(const std::string& arguments) const {
    const auto result = shell("cd " + single_quoted(dir_.path()) + " && git " + arguments);
    REQUIRE(result.status == 0);
    return result.output;
  }
  void write(const std::string& name, const std::string& text) const { dir_.write(name, text); }
  const std::string& path() const { return dir_.path(); }
  GitState state() const { return git_state(dir_.path()); }

 private:
  testing::Scratch dir_;
};

}  // namespace

TEST_CASE("a committed tree is clean and named by its commit") {
  const Repository repository;
  const auto state = repository.state();
  CHECK(state.commit + "\n" == repository.git("rev-parse HEAD"));
  CHECK(state.commit.size() == 40);
  CHECK_FALSE(state.dirty);
  CHECK(state.diff.empty());
  CHECK(state.untracked.empty());
}

TEST_CASE("a change is kept as a diff that git can apply") {
  const Repository repository;
  repository.write("model.cpp", "int heads = 8;\n");
  const auto state = repository.state();
  CHECK(state.dirty);
  CHECK(contains(state.diff, "-int heads = 4;\n+int heads = 8;\n"));
  CHECK_FALSE(state.diff_truncated);

  const testing::Scratch patch;
  patch.write("change.diff", state.diff);
  repository.git("checkout -q model.cpp");
  repository.git("apply " + single_quoted(patch / "change.diff"));
  CHECK(repository.state().diff == state.diff);
}

TEST_CASE("a new file makes the tree dirty and is named") {
  const Repository repository;
  repository.write("new.cpp", "int layers;\n");
  const auto state = repository.state();
  CHECK(state.dirty);
  CHECK(state.untracked == std::vector<std::string>{"new.cpp"});
}

TEST_CASE("experiments and labelled files of one's own leave the tree clean") {
  const Repository repository;
  repository.write("experiments/mine.json", "{}");
  repository.write("reviews.csv", "text,label\n");
  repository.write("texts/good/1.txt", "text");
  CHECK_FALSE(repository.state().dirty);
  repository.write("lib/new.inc", "int layers;\n");
  CHECK(repository.state().untracked == std::vector<std::string>{"lib/new.inc"});
}

TEST_CASE("results are outputs: they leave the tree clean") {
  const Repository repository;
  repository.write("results/run.h5", "bytes");
  CHECK_FALSE(repository.state().dirty);
}

TEST_CASE(
    "a program built of a clean tree is of that commit, whatever is written or committed since") {
  const Repository repository;
  const std::string built = repository.state().commit;
  repository.write("model.cpp", "int heads = 8;\n");
  repository.write("new.cpp", "int x;\n");
  const GitState clean = state_when_built(built, false, repository.path());
  CHECK(clean.commit == built);
  CHECK_FALSE(clean.dirty);
  CHECK(clean.diff.empty());
  // One that was built of changes is told by what differs from its commit, though it was committed.
  repository.git("add . && git -c user.name=t -c user.email=t@t commit -q -m second");
  const GitState changed = state_when_built(built, true, repository.path());
  CHECK(changed.commit == built);
  CHECK(changed.dirty);
  CHECK(changed.diff.find("+int heads = 8;") != std::string::npos);
  // A commit that git does not know.
  CHECK(state_when_built("0123456", true, repository.path()).commit == repository.state().commit);
}

TEST_CASE("a large diff is cut at a line's end within 256 KiB") {
  const Repository repository;
  std::string lines;
  while (lines.size() < 2 * max_diff_bytes) lines += "// 서울은 대한민국의 수도이다.\n";
  repository.write("model.cpp", lines);
  const auto state = repository.state();
  CHECK(state.diff_truncated);
  CHECK(state.diff.size() <= max_diff_bytes);
  CHECK(state.diff.size() > max_diff_bytes - 100);
  CHECK(state.diff.back() == '\n');
}

TEST_CASE("a folder whose name needs quoting is asked about, not run") {
  const testing::Scratch dir;
  const std::string odd = dir / "it's $(touch pwned) here";
  dir.write("it's $(touch pwned) here/file", "text\n");
  REQUIRE(
      shell("cd " + single_quoted(odd) +
            " && git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -q -m 1")
          .status == 0);
  CHECK(git_state(odd).commit.size() == 40);
  CHECK_FALSE(std::filesystem::exists("pwned"));
}

TEST_CASE("a folder that is no repository has the commit of the build, even inside another's") {
  const testing::Scratch plain;
  CHECK(git_state(plain.path()).commit == build_info::commit);
  CHECK(git_state("/nowhere").commit == build_info::commit);
  const Repository around;
  around.write("copy/model.cpp", "int heads = 4;\n");
  CHECK(git_state(around.path() + "/copy").commit == build_info::commit);
}
