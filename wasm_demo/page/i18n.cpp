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
    Row{Word::privacy,
        "매개변수 {}개의 아주 작은 모델이라 자주 틀립니다. 쓰는 글은 이 브라우저 밖으로 나가지 "
        "않습니다.",
        "A very small model of {} parameters, often wrong. What you type never leaves this "
        "browser."},
    Row{Word::top_k, "개수", "How many"},
    Row{Word::hide_guesses, "예측 숨기기", "Hide guesses"},
    Row{Word::show_guesses, "예측 보기", "Show guesses"},
    Row{Word::hidden_guesses, "예측을 숨겼습니다. 먼저 맞혀 보세요.",
        "The guesses are hidden: guess first."},
    Row{Word::copy_text, "글로 복사", "Copy as text"},
    Row{Word::copy_csv, "CSV로 복사", "Copy as CSV"},
    Row{Word::save_picture, "그림 저장", "Save picture"},
    Row{Word::overview, "모든 층과 헤드: 누르면 크게 보입니다.",
        "All layers and heads: press one to enlarge it."},
    Row{Word::tokens_hint, "토큰을 누르면 그 자리를 가립니다.", "Press a token to mask it."},
    Row{Word::card_data, "학습 자료", "Trained on"},
    Row{Word::card_limits, "한계", "Limits"},
    Row{Word::card_limits_text,
        "백과사전의 문장에 강하고 일상 문장에는 약합니다. 사실을 아는 것이 아니라 자주 함께 나온 "
        "낱말을 고릅니다.",
        "Good at encyclopedic sentences, weak at everyday ones. It knows no facts: it picks words "
        "that often came together."},
    Row{Word::card_licence, "라이선스", "Licence"},
    Row{Word::card_licence_text, "MIT. 데이터, 글꼴, 라이브러리의 라이선스는 아래 글에 있습니다.",
        "MIT; those of data, font and libraries are in the text below."},
    Row{Word::open_notice, "라이선스 전문 보기", "Read all licences"},
    Row{Word::mlm_accuracy, "빈칸 정답률", "Masked word accuracy"},
    Row{Word::mlm_loss, "빈칸 손실", "Masked word loss"},
    Row{Word::nsp_accuracy, "다음 문장 정답률", "Next sentence accuracy"},
    Row{Word::nsp_loss, "다음 문장 손실", "Next sentence loss"},
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
