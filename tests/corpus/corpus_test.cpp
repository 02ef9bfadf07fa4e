#include "data/corpus.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "core/files.h"
#include "corpus/sample.h"
#include "data/text_overlap.h"

namespace minibert::testing {
namespace {

using Paragraphs = std::vector<std::string>;

std::vector<Paragraphs> documents(const std::vector<std::string>& paths, CorpusOptions options = {},
                                  CorpusCounts* counts = nullptr) {
  CorpusReader reader(paths, options);
  std::vector<Paragraphs> all;
  for (Document document; reader.next(&document);) all.push_back(document.paragraphs);
  if (counts != nullptr) *counts = reader.counts();
  return all;
}

const std::vector<Paragraphs> kTwoDocuments = {{"고구려", "주몽이 세운 나라이다.", "산이 많았다."},
                                               {"백제", "온조가 세운 나라이다."}};

}  // namespace

TEST_CASE("documents end at empty lines; the title is a paragraph") {
  const Scratch folder;
  const std::string expected =
      "고구려\n주몽이 세운 나라이다.\n산이 많았다.\n\n백제\n온조가 세운 나라이다.\n";
  struct Case {
    std::string name, text;
  };
  const std::vector<Case> cases = {
      {"as specified", expected},
      {"several empty lines, also at both ends",
       "\n\n고구려\n주몽이 세운 나라이다.\n산이 많았다.\n"
       "\n \n\t\n백제\n온조가 세운 나라이다.\n\n\n"},
      {"CRLF",
       "고구려\r\n주몽이 세운 나라이다.\r\n산이 많았다.\r\n\r\n백제\r\n온조가 세운 나라이다."},
      {"white space at the ends of lines",
       "  고구려\u3000\n\u00a0주몽이 세운 나라이다. \t\n"
       "산이 많았다.\u2003\n\u3000\n백제\n온조가 세운 나라이다."},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(documents({text_file(folder, "a.txt", c.text)}) == kTwoDocuments);
  }
}

TEST_CASE("the two halves of a corpus share no article and leave none out, in any order") {
  const Scratch folder;
  std::string text, reversed;
  for (int i = 0; i < 200; ++i) {
    const std::string article = "제목 " + std::to_string(i) + "\n한 줄\n\n";
    text += article;
    reversed.insert(0, article);
  }
  const auto titles = [&](const std::string& name, const std::string& of, ArticlePart part) {
    std::set<std::string> out;
    for (const Paragraphs& document : documents({text_file(folder, name, of)}, {.part = part}))
      CHECK(out.insert(document[0]).second);
    return out;
  };
  const auto first = titles("a.txt", text, ArticlePart::first_half);
  auto both = titles("a.txt", text, ArticlePart::second_half);
  CHECK(first.size() + both.size() == 200);
  CHECK(first.size() > 60);
  CHECK(both.size() > 60);
  CHECK(titles("b.txt", reversed, ArticlePart::first_half) == first);
  both.insert(first.begin(), first.end());
  CHECK(both.size() == 200);
}

TEST_CASE("paragraphs that stand in evaluation texts are left out and counted") {
  const Scratch folder;
  const std::string known =
      "온조가 세운 나라로 한강 유역에서 일어나 여러 차례 도읍을 옮긴 나라이다.";
  TextOverlap overlap;
  overlap.add("앞 문장. " + known + " 뒤 문장.");
  overlap.finish();
  CorpusCounts counts;
  const auto read =
      documents({text_file(folder, "a.txt", "백제\n" + known + "\n다른 글\n\n" + known + "\n")},
                {.exclude = &overlap}, &counts);
  CHECK(read == std::vector<Paragraphs>{{"백제", "다른 글"}});
  CHECK(counts.excluded_paragraphs == 2);
  CHECK(counts.documents == 1);
  CHECK(counts.paragraphs == 2);
}

TEST_CASE("a WikiExtractor tree is read in the order of its paths") {
  const Scratch folder;
  const auto add = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    text_file(folder, name, text);
  };
  add("AB/wiki_00",
      "<doc id=\"7\" url=\"https://ko.wikipedia.org/wiki?curid=7\" title=\"백제\">\n백제\n\n"
      "온조가 세운 나라이다.\n\n</doc>\n");
  add("AA/wiki_00",
      "<doc id=\"5\" url=\"https://ko.wikipedia.org/wiki?curid=5\" title=\"고구려\">\n고구려\n\n"
      "주몽이 세운 나라이다.\n\n산이 많았다.\n\n</doc>\n"
      "<doc id=\"6\" url=\"…\" title=\"빈 문서\">\n\n</doc>\n");
  CHECK(documents({folder.path()}) == kTwoDocuments);
}

TEST_CASE("WikiExtractor's entities become the characters again") {
  const Scratch folder;
  const auto path = text_file(folder, "wiki_00",
                              "<doc id=\"1\" title=\"부등식\">\n부등식\n1 &lt; 2 &amp;&amp; 3 &gt; "
                              "2, AT&amp;T, &amp;lt; & &copy;\n</doc>\n");
  CHECK(documents({path}) ==
        std::vector<Paragraphs>{{"부등식", "1 < 2 && 3 > 2, AT&T, &lt; & &copy;"}});
}

TEST_CASE("plain text keeps its ampersands, and files follow one another") {
  const Scratch folder;
  const auto a = text_file(folder, "b.txt", "가\nA&amp;B");
  const auto b = text_file(folder, "a.txt", "나\n다");
  CHECK(documents({a, b}) == std::vector<Paragraphs>{{"가", "A&amp;B"}, {"나", "다"}});
}

TEST_CASE("counts are of what was read") {
  CorpusCounts counts;
  const auto all = documents({kSampleText}, {}, &counts);
  uint64_t paragraphs = 0, bytes = 0;
  for (const Paragraphs& document : all)
    for (const std::string& paragraph : document) ++paragraphs, bytes += paragraph.size();
  CHECK(counts.documents == all.size());
  CHECK(counts.paragraphs == paragraphs);
  CHECK(counts.bytes == bytes);
  CHECK(all.size() > 50);
}

TEST_CASE("JSON lines are a document a line, with their title where they have one") {
  const Scratch folder;
  const std::string path = text_file(folder, "a.jsonl",
                                     R"({"title": "고양이", "text": "집에 산다.\n\n  밤에 본다. "})"
                                     "\n\n"
                                     R"({"text": "제목이 없다.", "id": 3})"
                                     "\n");
  CorpusReader reader({path});
  Document document;
  REQUIRE(reader.next(&document));
  CHECK(document.paragraphs == std::vector<std::string>{"고양이", "집에 산다.", "밤에 본다."});
  REQUIRE(reader.next(&document));
  CHECK(document.paragraphs == std::vector<std::string>{"제목이 없다."});
  CHECK_FALSE(reader.next(&document));

  const auto plain = plain_text_files({kSampleText, path}, folder / "cache");
  CHECK(plain[0] == kSampleText);
  CHECK(read_file(plain[1]) == "고양이\n집에 산다.\n밤에 본다.\n\n제목이 없다.\n\n");
  for (const auto& [text, problem] :
       {std::pair<std::string, std::string>{"{\"text\": 3}\n", "found no text"},
        {"[1]\n", "found no text"},
        {"\n그냥 글\n", "not valid JSON"}}) {
    INFO(text);
    const std::string bad = text_file(folder, "bad.jsonl", text);
    const std::string message = error_of([&] {
      CorpusReader broken({bad});
      broken.next(&document);
    });
    CHECK_THAT(message,
               Catch::Matchers::Contains("bad.jsonl:" + std::string(text[0] == '\n' ? "2" : "1")) &&
                   Catch::Matchers::Contains(problem));
  }
}

TEST_CASE("JSON lines are known by their first line, whatever the file is called") {
  const Scratch folder;
  const std::string line =
      R"({"id": "5", "url": "…", "title": "백제", "text": "백제\n\n온조의 나라."})"
      "\n";
  // As WikiExtractor --json names them.
  const std::string path = text_file(folder, "wiki_00", line + line);
  CHECK(documents({path}) == std::vector<Paragraphs>(2, {"백제", "백제", "온조의 나라."}));
  const std::string tree =
      text_file(folder, "tree", "<doc id=\"1\" title=\"가\">\n가\n나\n</doc>\n");
  const auto plain = plain_text_files({path, tree}, folder / "cache");
  CHECK(read_file(plain[0]).starts_with("백제\n백제\n온조의 나라.\n\n"));
  CHECK(read_file(plain[1]) == "가\n나\n\n");
  for (const std::string other : {R"([{"text": "가"}])", "[\n", R"({"content": "가"})", "{\n"}) {
    INFO(other);
    const std::string bad = text_file(folder, "bad.txt", other);
    CHECK_THAT(error_of([&] { documents({bad}); }),
               Catch::Contains("bad.txt: begins with JSON, expected plain text"));
    CHECK_THAT(error_of([&] { plain_text_files({bad}, folder / "cache"); }),
               Catch::Contains("bad.txt: begins with JSON, expected plain text"));
  }
  CHECK_THAT(error_of([&] { documents({text_file(folder, "a.CSV", "글,라벨\n가,1\n")}); }),
             Catch::Contains("a.CSV: is a table by its name"));
  CHECK(documents({text_file(folder, "braces.txt", "{{인용}} [1]\n[가] 나\n")}) ==
        std::vector<Paragraphs>{{"{{인용}} [1]", "[가] 나"}});
}

TEST_CASE("bad input is an error that names file and line") {
  const Scratch folder;
  const std::string open = "<doc id=\"1\" title=\"가\">\n가\n";
  struct Case {
    std::string name, text, expected;
  };
  const std::vector<Case> cases = {
      {"not UTF-8", "가\n나\n\xff다\n", "t:3: not valid UTF-8 at byte 0"},
      {"EUC-KR", "\xb4\xeb\xc7\xd1\xb9\xce\xb1\xb9\n", "t:1: not valid UTF-8 at byte 0"},
      {"a cut character", "가나\xea\xb0\n", "t:1: not valid UTF-8 at byte 6"},
      {"too long a line", "가\n" + std::string(kLongestParagraph + 1, 'a'),
       "t:2: a line of 1048577"},
      {"unclosed <doc>", open + "나\n", "t: ends before </doc>"},
      {"<doc> in a <doc>", open + "<doc id=\"2\" title=\"나\">\n</doc>\n", "t:3: <doc"},
      {"</doc> without <doc>", open + "</doc>\n</doc>\n", "t:4: </doc> without"},
      {"text outside", open + "</doc>\n밖의 글\n", "t:4: text outside"},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    const auto path = text_file(folder, "t", c.text);
    CHECK_THAT(error_of([&] { documents({path}); }), Catch::Contains(c.expected));
  }
  CHECK_THAT(error_of([&] { documents({text_file(folder, "t", cases[0].text)}); }),
             Catch::Contains("iconv -c"));
  CHECK_THAT(error_of([&] { documents({folder / "none"}); }), Catch::Contains("no such file"));
  std::filesystem::create_directories(folder / "empty/AA");
  CHECK_THAT(error_of([&] { documents({folder / "empty"}); }),
             Catch::Contains("a folder without files"));
}

TEST_CASE("hidden files and folders are passed over") {
  const Scratch folder;
  text_file(folder, "a.txt", "가\n나\n");
  text_file(folder, ".DS_Store", "\x01\xff");
  std::filesystem::create_directories(folder / ".git");
  text_file(folder, ".git/config", "[core]\n");
  CHECK(corpus_files({folder.path()}) == std::vector<std::string>{folder / "a.txt"});
}

TEST_CASE("a text without empty lines is cut into documents of bounded size") {
  const Scratch folder;
  struct Case {
    std::string name, line;
    size_t lines;
  };
  for (const Case& c :
       {Case{"long lines", std::string(1000, 'a'), 10000}, Case{"many short lines", "a", 400000}}) {
    INFO(c.name);
    std::string text;
    for (size_t i = 0; i < c.lines; ++i) text += c.line + "\n";
    const auto all = documents({text_file(folder, "t", text)});
    CHECK(all.size() > 2);
    size_t lines = 0;
    for (const Paragraphs& document : all) {
      lines += document.size();
      CHECK(document.size() * (c.line.size() + sizeof(std::string)) < 5'000'000);
    }
    CHECK(lines == c.lines);
  }
}

}  // namespace minibert::testing
