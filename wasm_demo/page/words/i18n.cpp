// One row a word, in the order of the enumeration.
#include "words/i18n.h"

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
    Row{Word::task, "할 일", "Task"},
    Row{Word::fill_masks, "빈칸 채우기", "Fill masks"},
    Row{Word::ask, "질문하기", "Ask"},
    Row{Word::label_texts, "감성 분석", "Sentiment"},
    Row{Word::mark_names, "이름 찾기", "Find names"},
    Row{Word::model, "모델", "Model"},
    Row{Word::compare_with, "비교할 모델", "Compare with"},
    Row{Word::nothing, "없음", "none"},
    Row{Word::share, "링크 복사", "Copy link"},
    Row{Word::code, "QR 코드", "QR code"},
    Row{Word::lesson, "수업 모드", "Class mode"},
    Row{Word::theme_light, "밝게", "Light"},
    Row{Word::theme_dark, "어둡게", "Dark"},
    Row{Word::other_language, "English", "한국어"},
    Row{Word::sentence, "문장", "Sentence"},
    Row{Word::placeholder, "여기에 문장을 쓰고 맞힐 곳에 [MASK]를 넣으세요",
        "Type a Korean sentence and put [MASK] where a word should be guessed"},
    Row{Word::text_asked, "글", "Text"},
    Row{Word::text_placeholder, "여기에 답이 들어 있는 글을 쓰거나 붙여넣으세요",
        "Type or paste a Korean text that holds the answer"},
    Row{Word::question, "질문", "Question"},
    Row{Word::question_placeholder, "이 글에 대한 질문을 쓰세요", "Ask something about the text"},
    Row{Word::review, "영화평", "Review"},
    Row{Word::review_placeholder, "여기에 영화에 대한 평을 쓰거나 붙여넣으세요",
        "Type or paste a Korean film review"},
    Row{Word::named_placeholder, "여기에 이름이 나오는 문장을 쓰거나 붙여넣으세요",
        "Type or paste a Korean sentence with names in it"},
    Row{Word::insert_mask, "[MASK] 넣기", "Insert [MASK]"},
    Row{Word::mask_word, "선택한 낱말 가리기", "Mask the word"},
    Row{Word::fill_all, "모두 채우기", "Fill all"},
    Row{Word::undo, "되돌리기", "Undo"},
    Row{Word::redo, "다시 실행", "Redo"},
    Row{Word::clear, "지우기", "Clear"},
    Row{Word::select_all, "모두 선택", "Select all"},
    Row{Word::copy, "복사", "Copy"},
    Row{Word::paste, "붙여넣기", "Paste"},
    Row{Word::examples, "예문", "Examples"},
    Row{Word::exercises, "연습 문제", "Exercises"},
    Row{Word::add_exercise, "이 문장을 문제로 추가", "Add this sentence"},
    Row{Word::clear_exercises, "문제 모두 지우기", "Remove all"},
    Row{Word::exercises_hint, "문제는 링크와 QR 코드에 함께 담깁니다.",
        "The link and the QR code carry the exercises."},
    Row{Word::answers, "답", "Answers"},
    Row{Word::answer, "답", "Answer"},
    Row{Word::answers_hint,
        "답을 누르거나 Alt+1…9를 누르면 글에서 그 자리가 표시됩니다. 답은 언제나 글의 한 "
        "부분입니다.",
        "Press an answer, or Alt+1…9, to see it in the text. An answer is always a part of the "
        "text."},
    Row{Word::leave_out, "낱말 하나씩 빼 보기", "Leave out each word"},
    Row{Word::leave_out_hint,
        "질문에서 낱말을 하나씩 빼고 다시 물었습니다. 답 \"{}\"의 확률이 많이 떨어질수록 그 낱말을 "
        "보고 답한 것입니다.",
        "The question again, without one of its words each. The more the probability of \"{}\" "
        "falls, the more the answer came from that word."},
    Row{Word::left_out_word, "뺀 낱말", "Left out"},
    Row{Word::answer_then, "뺐을 때의 답", "Answer then"},
    Row{Word::no_question, "글과 질문을 쓰면 답이 나옵니다.",
        "Write a text and a question, and the answers appear."},
    Row{Word::answer_figures,
        "{}, 매개변수 {}개. 위키백과 같은 글을 읽습니다. 처음 보는 질문 100개 가운데 {}개만 정확히 "
        "맞혔습니다(F1 {}). 글에 답이 없어도 무언가를 답합니다.",
        "{}, {} parameters. Reads text like Wikipedia's. Of 100 questions that it had not seen it "
        "answered only {} exactly (F1 {}); it answers something even where the text holds no "
        "answer."},
    Row{Word::verdict, "판정", "Verdict"},
    Row{Word::probability, "확률", "Probability"},
    Row{Word::positive, "긍정", "Positive"},
    Row{Word::negative, "부정", "Negative"},
    Row{Word::weights_hint,
        "낱말을 하나씩 [MASK]로 가리고 다시 물었습니다. 파란 낱말은 가리면 \"{}\"의 확률이 "
        "떨어지고, "
        "초록 낱말은 오릅니다. 진할수록 많이 달라집니다.",
        "Asked again with each word in turn under a [MASK]. Without a blue word \"{}\" is less "
        "probable, without a green one more; the stronger the colour, the larger the change."},
    Row{Word::word_weights, "낱말의 몫", "What each word brings"},
    Row{Word::masked_word, "가린 낱말", "Masked word"},
    Row{Word::probability_then, "그때의 {}", "{} then"},
    Row{Word::points, "몫 (%p)", "Brings (points)"},
    Row{Word::weightiest, "몫이 가장 큰 낱말", "The weightiest word"},
    Row{Word::label_figures,
        "{}, 매개변수 {}개. 영화평(NSMC)으로 배워, 처음 보는 영화평 100개 가운데 {}개를 "
        "맞혔습니다. 다른 "
        "글에서는 재지 않았습니다.",
        "{}, {} parameters. It learnt from film reviews (NSMC) and is right for {} of 100 that it "
        "had not seen; on other texts it was not measured."},
    Row{Word::names, "찾은 이름", "Names found"},
    Row{Word::no_names, "이름을 찾지 못했습니다.", "It found no names."},
    Row{Word::names_hint, "이름을 누르거나 Alt+1…9를 누르면 글에서 그 자리가 표시됩니다.",
        "Press a name, or Alt+1…9, to see it in the text."},
    Row{Word::type_person, "사람", "Person"},
    Row{Word::type_place, "장소", "Place"},
    Row{Word::type_group, "기관", "Organization"},
    Row{Word::type_date, "날짜", "Date"},
    Row{Word::type_time, "시간", "Time"},
    Row{Word::type_quantity, "수량", "Quantity"},
    Row{Word::name_figures,
        "{}, 매개변수 {}개. 처음 보는 문장(KLUE-NER)에서 F1의 유형별 평균이 100점 만점에 "
        "{}점입니다. "
        "놓치거나 잘라 내거나 종류를 틀리는 이름이 많습니다.",
        "{}, {} parameters. On sentences that it had not seen (KLUE-NER) its entity macro-F1 is {} "
        "of 100: many names are missed, cut short or taken for another kind."},
    Row{Word::read_part, "글이 길어 앞의 토큰 {}개만 읽었습니다.",
        "The text is long: only its first {} tokens were read."},
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
    Row{Word::attention_local, "{}층은 어텐션 없이 이웃한 토큰을 합성곱으로 섞습니다.",
        "Layer {} mixes neighbouring tokens by convolution, without attention."},
    Row{Word::explain, "어떻게 맞혔나", "How it guessed"},
    Row{Word::explain_hint,
        "왼쪽의 토큰이 층을 지나며 빈칸으로 모여 오른쪽의 예측이 됩니다. 띠가 굵을수록 많이 "
        "가져옵니다. 단계를 누르면 그 수가 보입니다.",
        "Tokens on the left flow through the layers into the mask and become the guesses on the "
        "right; a thicker band brings more. Press a step for its numbers."},
    Row{Word::explain_long, "토큰이 32개를 넘는 문장은 띠로 그리지 않습니다.",
        "Sentences of more than 32 tokens are not drawn as bands."},
    Row{Word::explain_stages, "각 단계에서 바로 출력층에 물으면 이렇게 맞힙니다.",
        "What the output layer would guess if it were asked after each step."},
    Row{Word::after_layer, "{}층 뒤", "After layer {}"},
    Row{Word::step_embedding, "임베딩", "Embedding"},
    Row{Word::step_attention, "{}층 어텐션", "Layer {} attention"},
    Row{Word::step_local, "{}층 이웃", "Layer {} neighbours"},
    Row{Word::step_feed_forward, "{}층 피드포워드", "Layer {} feed-forward"},
    Row{Word::step_output, "출력", "Output"},
    Row{Word::explain_embedding,
        "토큰의 벡터, 자리의 벡터, 문장 번호의 벡터를 더합니다. 그 합을 고르게 맞춘 "
        "것(LayerNorm)이 첫 층으로 들어갑니다.",
        "The token's vector, its position's and its segment's are added. Their sum, normalized "
        "(LayerNorm), enters the first layer."},
    Row{Word::explain_embedding_wider,
        "토큰의 벡터, 자리의 벡터, 문장 번호의 벡터를 더합니다. 그 합을 고르게 맞추고(LayerNorm) "
        "수 {}개로 넓힌 것이 첫 층으로 들어갑니다.",
        "The token's vector, its position's and its segment's are added. Their sum, normalized "
        "(LayerNorm) and widened ({} numbers), enters the first layer."},
    Row{Word::explain_embedding_placeless,
        "토큰의 벡터와 문장 번호의 벡터를 더합니다(자리는 뒤의 층이 거리로 압니다). 그 합을 고르게 "
        "맞춘 것(LayerNorm)이 첫 층으로 들어갑니다.",
        "The token's vector and its segment's are added (places come in later layers, as "
        "distances). Their sum, normalized (LayerNorm), enters the first layer."},
    Row{Word::explain_embedding_placeless_wider,
        "토큰의 벡터와 문장 번호의 벡터를 더합니다(자리는 뒤의 층이 거리로 압니다). 그 합을 고르게 "
        "맞추고(LayerNorm) 수 {}개로 넓힌 것이 첫 층으로 들어갑니다.",
        "The token's vector and its segment's are added (places come in later layers, as "
        "distances). Their sum, normalized (LayerNorm) and widened ({} numbers), enters the first "
        "layer."},
    Row{Word::explain_local,
        "이 층에는 어텐션이 없습니다. 빈칸과 그 앞뒤 {}칸의 값 벡터에 거리마다 정해진 가중치를 "
        "곱해 더한 것(합성곱)을 빈칸으로 가져옵니다.",
        "This layer has no attention. What it brings to the mask is the sum of the value vectors "
        "within a distance of {}, each multiplied by the weights of its distance (convolution)."},
    Row{Word::explain_attention,
        "빈칸의 질의(q)를 모든 토큰의 키(k)와 내적하고 크기를 줄인 뒤, 소프트맥스로 합이 1인 "
        "비율을 만듭니다. 그 비율로 섞은 값 벡터를 이 헤드가 빈칸으로 가져옵니다.",
        "The mask's query (q) is multiplied with every token's key (k) and scaled; softmax makes "
        "shares of 1. Mixed by these shares, the value vectors are what this head brings to the "
        "mask."},
    Row{Word::explain_convolution,
        "q, k, v는 모든 토큰에서 먼저 앞뒤 {}칸의 것과 섞인 것입니다(합성곱).",
        "Every token's q, k and v are first mixed with those within a distance of {} "
        "(convolution)."},
    Row{Word::explain_offsets, "줄인 점수에는 이 헤드가 두 토큰의 거리마다 배운 값을 더합니다.",
        "To the scaled score is added what this head has learnt for the distance between the two "
        "tokens."},
    Row{Word::explain_gate,
        "이 헤드가 가져온 것에는 빈칸의 벡터가 정하는 0과 1 사이의 수를 곱하며, 지금은 {}입니다.",
        "What this head brings is multiplied by a number from 0 to 1 that the mask's vector "
        "decides: here {}."},
    Row{Word::explain_shared, "이 모델은 모든 층이 같은 가중치를 씁니다.",
        "In this model all layers have the same weights."},
    Row{Word::explain_shared_attention, "이 모델은 어텐션이 있는 층이 모두 같은 가중치를 씁니다.",
        "In this model all layers with attention have the same weights."},
    Row{Word::explain_feed_forward,
        "빈칸의 벡터만 보고 유닛 {}개가 저마다 켜지거나 꺼집니다(GELU). 유닛마다 정해진 벡터를 "
        "켜진 만큼 빈칸에 더합니다.",
        "Looking at the mask's vector alone, each of {} units is switched on or off (GELU). Each "
        "adds a vector of its own to the mask, as much as it is on."},
    Row{Word::explain_feed_forward_gated,
        "빈칸의 벡터만 보고 유닛 {}개가 저마다 수 둘을 만들어, 켜지거나 꺼지는 하나(GELU)를 다른 "
        "하나에 곱합니다(GEGLU). 유닛마다 정해진 벡터를 그 곱만큼 빈칸에 더합니다.",
        "Looking at the mask's vector alone, each of {} units makes two numbers and multiplies "
        "one, switched on or off (GELU), with the other (GEGLU). Each adds a vector of its own to "
        "the mask, as much as that product."},
    Row{Word::explain_output,
        "마지막 벡터를 낱말표의 모든 토큰 벡터와 곱한 것이 점수이고, 소프트맥스가 점수를 확률로 "
        "바꿉니다. 온도가 낮으면 1순위로 몰리고, 높으면 고르게 퍼집니다.",
        "The last vector's product with every token's vector is its score; softmax turns scores "
        "into probabilities. A low temperature favours the best, a high one evens them out."},
    Row{Word::explain_output_transform,
        "마지막 벡터를 한 번 더 바꾼 뒤 낱말표의 모든 토큰 벡터와 곱한 것이 점수이고, 소프트맥스가 "
        "점수를 확률로 바꿉니다. 온도가 낮으면 1순위로 몰리고, 높으면 고르게 퍼집니다.",
        "The last vector is transformed once more; its product with every token's vector is that "
        "token's score, and softmax turns scores into probabilities. A low temperature favours the "
        "best, a high one evens them out."},
    Row{Word::explain_shown,
        "글에서는 한번 나온 말이 되풀이되므로, 문장에 이미 있는 토큰은 점수를 따로 더합니다(0보다 "
        "작으면 뺍니다). 얼마인지는 "
        "빈칸의 벡터와 토큰, 나온 횟수가 정하며, 위 점수에 들어 있습니다.",
        "Text repeats itself, so tokens that the sentence shows get something added to their "
        "score (or taken off, where it is below 0). How much depends on the mask's vector, the "
        "token and how often it stands there; the scores above include it."},
    Row{Word::vector_token, "토큰", "Token"},
    Row{Word::vector_position, "자리", "Position"},
    Row{Word::vector_segment, "문장 번호", "Segment"},
    Row{Word::vector_state, "첫 층으로", "Into layer 1"},
    Row{Word::value_length, "값의 길이", "Value's length"},
    Row{Word::added_length, "더한 길이", "Length added"},
    Row{Word::added_score, "더한 점수", "Score added"},
    Row{Word::distance, "거리", "Distance"},
    Row{Word::units, "유닛", "Units"},
    Row{Word::strongest_units, "가장 센 유닛", "Strongest units"},
    Row{Word::unit_value, "세기", "Value"},
    Row{Word::score, "점수", "Score"},
    Row{Word::temperature, "온도", "Temperature"},
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
    Row{Word::pick_file, "모델 파일 열기", "Open a model file"},
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
    Row{Word::whole_words, "낱말 단위", "Whole words"},
    Row{Word::whole_words_hint,
        "토큰 1~3개로 된 낱말을 찾습니다. 토큰 수마다 확률을 3분의 1씩 나누어 줍니다.",
        "Words of 1 to 3 tokens; each length has a third of the probability."},
    Row{Word::my_word, "내 낱말", "My word"},
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
        "백과사전 문장도 자주 틀리고, 일상 문장은 더 자주 틀립니다. 사실을 아는 것이 아니라 자주 "
        "함께 나온 낱말을 고릅니다.",
        "Often wrong at encyclopedic sentences, more often at everyday ones. It knows no facts: it "
        "picks words that often came together."},
    Row{Word::answer_limits_text,
        "질문과 낱말이 겹치는 문장에서 답을 찾습니다. 여러 문장을 이어 생각하거나 세지 못합니다.",
        "It looks for the answer where words of the question stand. It cannot reason over several "
        "sentences, nor count."},
    Row{Word::label_limits_text,
        "긍정과 부정만 압니다. 어느 쪽도 아닌 글에도 둘 가운데 하나를 말합니다.",
        "It knows positive and negative alone, and says one of them of any text."},
    Row{Word::name_limits_text, "사람, 장소, 기관, 날짜, 시간, 수량만 찾습니다.",
        "It looks for persons, places, organizations, dates, times and quantities alone."},
    Row{Word::card_licence, "라이선스", "Licence"},
    Row{Word::card_licence_text, "MIT. 데이터, 글꼴, 라이브러리의 라이선스는 아래 글에 있습니다.",
        "MIT; those of data, font and libraries are in the text below."},
    Row{Word::open_notice, "라이선스 전문 보기", "Read all licences"},
    Row{Word::open_source, "소스 코드", "Source code"},
    Row{Word::mlm_accuracy, "빈칸 정답률", "Mask accuracy"},
    Row{Word::mlm_loss, "빈칸 손실", "Mask loss"},
    Row{Word::nsp_accuracy, "문장 순서 정답률", "Order accuracy"},
    Row{Word::nsp_loss, "문장 순서 손실", "Order loss"},
    Row{Word::exact_match, "정확히 맞힌 %", "Exact match"},
    Row{Word::f1, "F1", "F1"},
    Row{Word::accuracy, "정답률", "Accuracy"},
    Row{Word::entity_f1, "개체 F1", "Entity F1"},
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
