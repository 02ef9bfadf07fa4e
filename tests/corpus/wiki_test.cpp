// Wikipedia dumps: which pages are articles, and what becomes of wiki text.
#include <bzlib.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "corpus/sample.h"
#include "data/corpus.h"
#include "data/made/wiki_dump.h"
#include "data/made/wiki_text.h"

namespace minibert::testing {
namespace {

using Catch::Matchers::Contains;
using Lines = std::vector<std::string>;

std::string bzip2(const std::string& text) {
  std::string out(text.size() + text.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  REQUIRE(BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                                   static_cast<unsigned>(text.size()), 9, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

std::string page(const std::string& title, const std::string& space, const std::string& text,
                 const std::string& extra = "") {
  return "  <page>\n    <title>" + title + "</title>\n    <ns>" + space +
         "</ns>\n    <id>5</id>\n" + extra +
         "    <revision>\n      <id>7</id>\n      <text xml:space=\"preserve\">" + text +
         "</text>\n    </revision>\n  </page>\n";
}

const std::string kHead =
    "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.10/\" xml:lang=\"ko\">\n"
    "  <siteinfo><sitename>위키백과</sitename></siteinfo>\n";

const std::string kDump =
    kHead +
    page("지미 카터", "0",
         "{{정치인 정보\n|이름 = 지미 {{작은 글씨|카터}}\n}}\n'''제임스 얼 "
         "카터'''({{lang|en|James}}, "
         "[[1924년]] ~ )는 [[미국]]의 [[미국의 "
         "대통령|대통령]]이다.&lt;ref&gt;출처&lt;/ref&gt;\n\n== 생애 "
         "==\n[[조지아주]]에서 태어났다.\n\n[[분류:미국의 대통령]]\n[[en:Jimmy Carter]]") +
    page("대문", "4", "소개") +
    page("카터", "0", "#넘겨주기 [[지미 카터]]", "    <redirect title=\"지미 카터\" />\n") +
    page("빈 글", "0", "{{토막글}}") + page("수학", "0", "'''수학'''은 수를 다룬다.") +
    "</mediawiki>\n";

}  // namespace

TEST_CASE("every piece of wiki text becomes what the rules say") {
  struct Case {
    const char* name;
    std::string text;
    Lines expected;
  };
  const Case cases[] = {
      {"plain lines are paragraphs", "하나\n\n둘\n셋", {"하나", "둘", "셋"}},
      {"links show their text", "[[서울|수도]]는 [[서울]]이다.", {"수도는 서울이다."}},
      {"a link's bold text", "[[서울|'''수도''']]", {"수도"}},
      {"file with a caption that has links",
       "가[[파일:a.jpg|섬네일|[[서울]]의 [[강]]]]나",
       {"가나"}},
      {"categories and other languages", "가\n[[분류:나]]\n[[en:Ga]]\n[[Category:X]]", {"가"}},
      {"a title with a colon stays", "[[스타워즈: 새로운 희망]]", {"스타워즈: 새로운 희망"}},
      {"nested templates", "가{{나|{{다}}|라}}마", {"가마"}},
      {"a template that is never closed", "가\n나{{다\n라", {"가", "나"}},
      {"tables", "가\n{| class=x\n! 나\n|-\n| 다 {| 속 |} 라\n|}\n마", {"가", "마"}},
      {"comments over lines", "가<!-- 나\n다 -->라", {"가라"}},
      {"references with and without an end",
       "가<ref name=\"a\" />나<ref>다 [http://x 라]</ref>마",
       {"가나마"}},
      {"formulas, galleries and code",
       "가<math>x^2</math>나\n<gallery>\n다\n</gallery>\n<code>라</code>",
       {"가나"}},
      {"other tags' contents",
       "<small>가</small> <span style=\"color:red\">나</span><br />다",
       {"가 나 다"}},
      {"a less-than sign", "1 < 2이고 3<4이다", {"1 < 2이고 3<4이다"}},
      {"nowiki", "<nowiki>[[가]]</nowiki>", {"[[가]]"}},
      {"bold and italic", "'''가'''와 ''나'', '''''다'''''", {"가와 나, 다"}},
      {"headings only where something follows",
       "== 가 ==\n=== 나 ===\n다\n== 라 ==",
       {"나.", "다"}},
      {"lists and rules", "가\n* 나\n# 다\n: 라\n; 마\n----\n바", {"가", "바"}},
      {"addresses", "[https://a.b 누리집]과 [https://a.b]", {"누리집과"}},
      {"entities",
       "가&nbsp;나 &amp; &#44032; &#xAC01; &ndash; &unknown;",
       {"가 나 & 가 각 – &unknown;"}},
      {"words for the machine", "__목차숨김__ __TOC__가", {"가"}},
      {"empty parentheses", "가(, ) 나 ({{다}}; [[분류:라]])는 (마)", {"가 나는 (마)"}},
      {"white space", "  가 \t 나  ", {"가 나"}},
      {"nothing", "{{가}}\n\n", {}},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    CHECK(wiki_paragraphs(one.text) == one.expected);
  }
}

TEST_CASE("long hostile wiki text takes no longer than its length") {
  // Would take minutes if any of it were quadratic.
  for (const std::string piece :
       {"[[", "{{", "<ref>", "<a", "((", "))", "(", "&", "''", "{|", "[http://"}) {
    std::string text;
    while (text.size() < 2'000'000) text += piece;
    CHECK(wiki_paragraphs(text).size() <= 1);
  }
}

TEST_CASE("a dump's articles become text, without redirects and other pages") {
  const Scratch folder;
  const std::string xml = text_file(folder, "d.xml", kDump);
  const std::string packed =
      text_file(folder, "d.xml.bz2", bzip2(kDump.substr(0, 300)) + bzip2(kDump.substr(300)));
  const std::string expected =
      "지미 카터\n제임스 얼 카터(1924년 ~)는 미국의 대통령이다.\n생애.\n조지아주에서 "
      "태어났다.\n\n"
      "수학\n수학은 수를 다룬다.\n\n";
  for (const std::string& dump : {xml, packed}) {
    const WikiTextCounts counts = write_wiki_text(dump, folder / "out.txt", "", 0, 0);
    CHECK(read_file(folder / "out.txt") == expected);
    CHECK(counts.articles == 2);
    CHECK(counts.paragraphs == 6);
    CHECK(counts.empty == 1);
    CHECK(counts.bytes == expected.size());
  }
  CorpusReader reader({folder / "out.txt"});
  Document document;
  REQUIRE(reader.next(&document));
  CHECK(document.paragraphs.size() == 4);
  CHECK(write_wiki_text(xml, folder / "one.txt", "", 0, 1).articles == 1);
}

TEST_CASE("held-out articles are chosen by their titles") {
  const Scratch folder;
  std::string dump = kHead;
  for (int i = 0; i < 400; ++i) dump += page("글 " + std::to_string(i), "0", "본문이다.");
  const std::string xml = text_file(folder, "d.xml", dump + "</mediawiki>");
  const WikiTextCounts counts =
      write_wiki_text(xml, folder / "train.txt", folder / "dev.txt", 10, 0);
  CHECK(counts.articles == 400);
  CHECK(counts.dev_articles > 20);
  CHECK(counts.dev_articles < 60);
  const std::string dev = read_file(folder / "dev.txt");
  CHECK(std::count(dev.begin(), dev.end(), '\n') == static_cast<long>(3 * counts.dev_articles));
  CHECK(read_file(folder / "train.txt").size() + dev.size() == counts.bytes);
}

TEST_CASE("what is no dump is named with its line, and nothing is written") {
  const Scratch folder;
  const auto message = [&](const std::string& bytes) {
    try {
      write_wiki_text(text_file(folder, "d", bytes), folder / "out.txt", "", 0, 0);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("(no error)");
  };
  CHECK_THAT(message("text"), Contains("d:1: not the XML of a MediaWiki dump"));
  CHECK_THAT(message(""), Contains("not the XML"));
  CHECK_THAT(message("<feed></feed>"), Contains("has no <mediawiki>"));
  CHECK_THAT(message(kDump.substr(0, 700)), Contains("not the XML"));
  CHECK_THAT(message(bzip2(kDump).substr(0, 200)), Contains("bzip2 data end too early"));
  std::string damaged = bzip2(kDump);
  damaged[damaged.size() / 2] ^= 8;
  CHECK_THAT(message(damaged), Contains("damaged bzip2 data"));
  CHECK_FALSE(std::filesystem::exists(folder / "out.txt"));
}

}  // namespace minibert::testing
