// The Python package: the engine through ctypes, and the reader of records.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace {

using minibert::shell;
using minibert::single_quoted;
using minibert::testing::run_program;
using minibert::testing::Scratch;

// The wheel, unpacked as pip does it.
struct Package {
  Scratch scratch;
  std::string wheel;

  Package() {
    const auto made = shell(std::string("/usr/bin/python3 lib/api/python/make_wheel.py ") +
                            single_quoted(MINIBERT_LIBRARY) + " " + single_quoted(scratch / "out"));
    INFO(made.output);
    REQUIRE(made.status == 0);
    wheel = made.output.substr(0, made.output.find('\n'));
    REQUIRE(shell("/usr/bin/python3 -m zipfile -e " + single_quoted(wheel) + " " +
                  single_quoted(scratch / "site"))
                .status == 0);
  }
  minibert::ShellResult python(const std::string& code) const {
    return shell("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" + single_quoted(scratch / "site") +
                 " /usr/bin/python3 -c " + single_quoted("import json, minibert\n" + code));
  }
};

constexpr const char* kMasked = "제2차 세계 [MASK]은 1945년에 끝났다.";

}  // namespace

TEST_CASE("the Python package gives the program's guesses to the bit, with places in characters") {
  const Package package;
  CHECK(std::filesystem::file_size(package.wheel) < 3'000'000);
  const auto ours =
      package.python("print(json.dumps(minibert.Engine('wasm_demo/models/everyday-1m.mbq').fill('" +
                     std::string(kMasked) + "')['masks'][0]))");
  INFO(ours.output);
  REQUIRE(ours.status == 0);
  auto mask = nlohmann::json::parse(ours.output);
  const auto printed =
      run_program(std::string("fill-mask --json --run wasm_demo/models/everyday-1m.mbq ") +
                  single_quoted(kMasked));
  const auto theirs = nlohmann::json::parse(printed.out).at("masks").at(0);
  CHECK(mask.at("guesses") == theirs.at("guesses"));
  CHECK(mask.at("begin") == 7);
  CHECK(mask.at("end") == 13);
}

TEST_CASE("an Engine is shared by threads, not copied or pickled, and any path's message is text") {
  const Package package;
  const auto told = package.python(R"(
import copy, os, pickle
engine = minibert.Engine('wasm_demo/models/everyday-1m.mbq')
for copied in (copy.copy, copy.deepcopy, pickle.dumps):
    try:
        copied(engine)
        raise AssertionError(copied)
    except TypeError as error:
        assert 'cannot be copied or pickled' in str(error), error
try:
    minibert.Engine(os.fsdecode(b'/tmp/\xb8\xf0.mbq'))
    raise AssertionError('opened')
except minibert.Error as error:
    assert '.mbq' in str(error), error
texts = [f'{i}년에 [MASK]에 갔다.' for i in range(40)]
from concurrent.futures import ThreadPoolExecutor
def guesses(text):
    return engine.fill(text)['masks']
with ThreadPoolExecutor(4) as threads:
    assert list(threads.map(guesses, texts)) == [guesses(text) for text in texts]
)");
  INFO(told.output);
  CHECK(told.status == 0);
  CHECK(minibert::contains(
      shell("/usr/bin/python3 -m zipfile -l " + single_quoted(package.wheel)).output,
      "dist-info/NOTICE"));
}

TEST_CASE("the Python package answers, labels and marks names, and raises one line") {
  const Package package;
  const auto told = package.python(R"(
qa = minibert.Engine(open('wasm_demo/models/korquad-1m.mbq', 'rb').read())
context = '🙂 세종은 1443년에 훈민정음을 창제하였다.'
best = qa.answer('훈민정음은 언제 창제되었는가?', context)['answers'][0]
assert context[best['begin']:best['end']] == best['text'], best
assert minibert.Engine('wasm_demo/models/nsmc-1m.mbq').classify('정말 재미있는 영화')['labels'][0]['label'] == 'positive'
assert minibert.Engine('wasm_demo/models/klue-ner-1m.mbq').tag('그는 서울에서 태어났다.')['entities'][0]['text'] == '서울'
for text in ('', '빈칸', '\0[MASK]', '\ud800[MASK]'):
    try:
        qa.fill(text)
    except minibert.Error as error:
        assert '\n' not in str(error)
    else:
        raise AssertionError(text)
for call, kind in ((lambda: qa.answer(5, context), TypeError), (lambda: qa.answer('누가?', context, top='5'), TypeError),
                   (lambda: qa.answer('누가?', None), TypeError), (lambda: qa.answer('누가?', context, top=0), minibert.Error),
                   (lambda: qa.answer('누가?', context, top=True), TypeError),
                   (lambda: qa.answer('누가?', context, top=2**40), minibert.Error), (lambda: qa.fill(5), TypeError)):
    try:
        call()
    except kind as error:
        assert ': found ' in str(error), error
    else:
        raise AssertionError(kind)
written = '🙂 세계 ( )은 1945년에 끝났다.'
mask = minibert.Engine('wasm_demo/models/everyday-1m.mbq').fill(written, top=1)['masks'][0]
assert written[mask['begin']:mask['end']] == '( )', mask
print(qa.task, minibert.__version__)
)");
  INFO(told.output);
  CHECK(told.status == 0);
  CHECK(told.output == std::string("answers ") + MINIBERT_VERSION + "\n");
}
