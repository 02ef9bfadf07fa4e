// Converts wiki text (MediaWiki's markup) to plain paragraphs by fixed rules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Returns the paragraphs of an article, in order. The markup becomes:
//   dropped with all inside   comments, {{templates}}, {| tables |}, <ref>, <gallery>, <math>, <chem>,
//                             <timeline>, <score>, <source>, <syntaxhighlight>, <code>, <pre>,
//                             <table>; links to files, categories and other languages ([[분류:…]],
//                             [[en:…]]); lines of lists (beginning with * # : ;), rules (----),
//                             __WORDS__
//   kept as their text        [[target|text]], [[target]], [https://… text], ''italic'', '''bold''',
//                             other tags' contents, <nowiki>
//   == heading ==             "heading.", if a paragraph follows before the next heading
//   &entities;                the common named ones and all numbers, decoded
// Then white space becomes one space, and empty parentheses are removed. Unclosed markup ends with
// the article. Time is linear in the text's length. The text must be valid UTF-8.
std::vector<std::string> wiki_paragraphs(std::string_view text);

}  // namespace minibert
