// One row a word, in the order of the enumeration.
#include "i18n.h"

#include <array>

namespace minibert::page {
namespace {

struct Row {
  Word word;
  std::string_view korean;
  std::string_view english;
};

constexpr std::array kRows = {
    Row{Word::subtitle, "브라우저 안에서 도는 작은 한국어 BERT",
        "A small Korean BERT inside your browser"},
    Row{Word::model, "모델", "Model"},
    Row{Word::compare_with, "비교할 모델", "Compare with"},
    Row{Word::nothing, "없음", "none"},
    Row{Word::share, "링크 복사", "Copy link"},
    Row{Word::theme_light, "밝게", "Light"},
    Row{Word::theme_dark, "어둡게", "Dark"},
    Row{Word::other_language, "English", "한국어"},
    Row{Word::sentence, "문장", "Sentence"},
    Row{Word::placeholder, "여기에 문장을 쓰고 맞힐 곳에 [MASK]를 넣으세요",
        "Type a Korean sentence and put [MASK] where a word should be guessed"},
    Row{Word::insert_mask, "[MASK] 넣기", "Insert [MASK]"},
    Row{Word::mask_word, "선택한 낱말 가리기", "Mask the word"},
    Row{Word::fill_all, "모두 채우기", "Fill all"},
    Row{Word::undo, "되돌리기", "Undo"},
    Row{Word::redo, "다시 실행", "Redo"},
    Row{Word::clear, "지우기", "Clear"},
    Row{Word::examples, "예문", "Examples"},
    Row{Word::guesses, "예측", "Guesses"},
    Row{Word::guess, "빈칸", "Mask"},
    Row{Word::no_mask, "[MASK]를 넣으면 예측이 나옵니다.",
        "Put a [MASK] in and the guesses appear."},
    Row{Word::no_text, "문장을 쓰면 여기에 보입니다.",
        "It is shown here once there is a sentence."},
    Row{Word::click_to_insert, "예측을 누르거나 Alt+1…9를 누르면 그 자리에 들어갑니다.",
        "Click a guess, or press Alt+1…9, to put it in."},
    Row{Word::details, "자세히", "Details"},
    Row{Word::attention, "어텐션", "Attention"},
    Row{Word::attention_hint,
        "토큰을 가리키거나 누르면 그 토큰이 주목하는 곳이 보입니다. 행이 주목하는 토큰, 열이 "
        "주목받는 토큰입니다.",
        "Point at or press a token to see where it attends. Rows attend to columns."},
    Row{Word::attention_table, "어텐션 표: 행의 토큰이 열의 토큰에 주목하는 정도",
        "Attention table: how much the row's token attends to the column's"},
    Row{Word::tokens, "토큰", "Tokens"},
    Row{Word::timing, "시간", "Timing"},
    Row{Word::about_model, "모델 정보", "Model facts"},
    Row{Word::layer, "층", "Layer"},
    Row{Word::head, "헤드", "Head"},
    Row{Word::average, "평균", "mean"},
    Row{Word::tokenize_ms, "토큰화", "Tokenizing"},
    Row{Word::encoder_ms, "인코더", "Encoder"},
    Row{Word::output_ms, "출력", "Output"},
    Row{Word::total_ms, "합계", "Total"},
    Row{Word::kernel, "계산 커널", "Kernel"},
    Row{Word::pieces, "토큰 수", "Tokens"},
    Row{Word::frames, "그린 프레임 수", "Frames drawn"},
    Row{Word::memory, "메모리", "Memory"},
    Row{Word::parameters, "매개변수", "Parameters"},
    Row{Word::file_size, "파일 크기", "File size"},
    Row{Word::weights, "가중치", "Weights"},
    Row{Word::source_run, "학습 기록", "Source run"},
    Row{Word::source_hash, "기록 SHA-256", "Record SHA-256"},
    Row{Word::architecture, "구조", "Architecture"},
    Row{Word::loading, "불러오는 중…", "Loading…"},
    Row{Word::drop_hint, "다른 .mbq 파일을 이 페이지에 끌어다 놓을 수 있습니다.",
        "Any other .mbq file can be dropped onto this page."},
    Row{Word::difference, "차이", "Difference"},
    Row{Word::same_guess, "1순위 일치", "same first guess"},
    Row{Word::unknown_model, "링크가 말하는 모델 \"{}\"이(가) 여기에 없어 첫 모델을 씁니다.",
        "The link names a model \"{}\" that is not here: the first one is used."},
    Row{Word::shortcuts,
        "Ctrl+M 낱말 가리기 · Ctrl+Enter 모두 채우기 · Ctrl+Z 되돌리기 · Tab 다음 단추",
        "Ctrl+M mask the word · Ctrl+Enter fill all · Ctrl+Z undo · Tab next control"},
};

constexpr bool in_order() {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].word != static_cast<Word>(i)) return false;
  return kRows.size() == static_cast<size_t>(Word::count);
}
static_assert(in_order(), "one row for each word, in the enumeration's order");

}  // namespace

std::string_view say(Word word, Language language) {
  const Row& row = kRows[static_cast<size_t>(word)];
  return language == Language::korean ? row.korean : row.english;
}

std::string say(Word word, Language language, std::string_view value) {
  std::string text(say(word, language));
  const size_t at = text.find("{}");
  return at == std::string::npos ? text : text.replace(at, 2, value);
}

Bilingual both(Word word, std::string_view value) {
  return {say(word, Language::korean, value), say(word, Language::english, value)};
}

}  // namespace minibert::page
