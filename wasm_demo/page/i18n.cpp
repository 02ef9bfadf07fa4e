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
    Row{Word::compare_with, "견줄 모델", "Compare with"},
    Row{Word::nothing, "없음", "none"},
    Row{Word::share, "링크 복사", "Copy link"},
    Row{Word::shared, "복사했습니다", "Copied"},
    Row{Word::theme_light, "밝게", "Light"},
    Row{Word::theme_dark, "어둡게", "Dark"},
    Row{Word::other_language, "English", "한국어"},
    Row{Word::sentence, "문장", "Sentence"},
    Row{Word::placeholder, "여기에 문장을 쓰고 맞힐 곳에 [MASK]를 넣으세요",
        "Type a Korean sentence and put [MASK] where a word should be guessed"},
    Row{Word::insert_mask, "[MASK] 넣기", "Insert [MASK]"},
    Row{Word::mask_word, "고른 낱말 가리기", "Mask the word"},
    Row{Word::fill_all, "모두 채우기", "Fill all"},
    Row{Word::undo, "되돌리기", "Undo"},
    Row{Word::redo, "다시 하기", "Redo"},
    Row{Word::clear, "지우기", "Clear"},
    Row{Word::examples, "보기 문장", "Examples"},
    Row{Word::guesses, "추측", "Guesses"},
    Row{Word::guess, "빈칸", "Mask"},
    Row{Word::no_mask, "[MASK]를 넣으면 추측이 나옵니다.",
        "Put a [MASK] in and the guesses appear."},
    Row{Word::click_to_insert, "추측을 누르면 그 자리에 들어갑니다.",
        "Click a guess to put it in."},
    Row{Word::attention, "어텐션", "Attention"},
    Row{Word::attention_hint,
        "조각에 올려 보면 그 조각이 어디를 보는지 보입니다. 세로는 보는 조각, 가로는 보이는 "
        "조각입니다.",
        "Hover over a piece to see where it looks. Rows look at columns."},
    Row{Word::tokens, "조각", "Tokens"},
    Row{Word::timing, "시간", "Timing"},
    Row{Word::about_model, "모델 정보", "Model facts"},
    Row{Word::layer, "층", "Layer"},
    Row{Word::head, "헤드", "Head"},
    Row{Word::average, "평균", "mean"},
    Row{Word::tokenize_ms, "조각내기", "Tokenizing"},
    Row{Word::encoder_ms, "인코더", "Encoder"},
    Row{Word::output_ms, "출력", "Output"},
    Row{Word::total_ms, "모두", "Total"},
    Row{Word::kernel, "계산 커널", "Kernel"},
    Row{Word::pieces, "조각 수", "Pieces"},
    Row{Word::frames, "그린 화면 수", "Frames drawn"},
    Row{Word::memory, "메모리", "Memory"},
    Row{Word::parameters, "매개변수", "Parameters"},
    Row{Word::file_size, "파일 크기", "File size"},
    Row{Word::weights, "가중치", "Weights"},
    Row{Word::source_run, "학습 실행", "Source run"},
    Row{Word::source_hash, "실행 기록 SHA-256", "Record SHA-256"},
    Row{Word::architecture, "구조", "Architecture"},
    Row{Word::dev_accuracy, "개발 데이터", "On dev data"},
    Row{Word::loading, "불러오는 중…", "Loading…"},
    Row{Word::drop_hint, "다른 .mbq 파일을 이 화면에 끌어다 놓을 수 있습니다.",
        "Any other .mbq file can be dropped onto this page."},
    Row{Word::difference, "차이", "Difference"},
    Row{Word::same_guess, "첫 추측이 같음", "same first guess"},
    Row{Word::from_piece, "보는 조각", "Looking from"},
    Row{Word::shortcuts, "Ctrl+M 낱말 가리기 · Ctrl+Enter 모두 채우기 · Ctrl+Z 되돌리기",
        "Ctrl+M mask the word · Ctrl+Enter fill all · Ctrl+Z undo"},
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

}  // namespace minibert::page
