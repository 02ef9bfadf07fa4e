#include "data/made/cloze_words.h"

#include <algorithm>
#include <unordered_set>

namespace minibert {
namespace {

using Words = std::unordered_set<std::u32string_view>;

// A noun that ends so and is longer than the ending by `before` syllables at least.
struct Suffix {
  std::u32string_view ending;
  size_t before;
  NounClass noun;
};
// The longer endings first.
constexpr Suffix kSuffixes[] = {
    {U"광역시", 2, {ClozeKind::place, U"도시"}},   {U"특별시", 2, {ClozeKind::place, U"도시"}},
    {U"고등학교", 1, {ClozeKind::thing, U"학교"}}, {U"중학교", 1, {ClozeKind::thing, U"학교"}},
    {U"초등학교", 1, {ClozeKind::thing, U"학교"}}, {U"대학교", 1, {ClozeKind::thing, U"대학교"}},
    {U"공화국", 1, {ClozeKind::place, U"나라"}},   {U"박물관", 2, {ClozeKind::place, U"박물관"}},
    {U"미술관", 2, {ClozeKind::place, U"미술관"}}, {U"도서관", 2, {ClozeKind::place, U"도서관"}},
    {U"경기장", 2, {ClozeKind::place, U"경기장"}}, {U"위원회", 2, {ClozeKind::thing, U"위원회"}},
    {U"연구소", 2, {ClozeKind::thing, U"연구소"}}, {U"헌법", 1, {ClozeKind::thing, U"헌법"}},
    {U"대학", 2, {ClozeKind::thing, U"대학"}},     {U"왕국", 1, {ClozeKind::place, U"나라"}},
    {U"제국", 1, {ClozeKind::place, U"나라"}},     {U"공국", 2, {ClozeKind::place, U"나라"}},
    {U"전쟁", 2, {ClozeKind::thing, U"전쟁"}},     {U"전투", 2, {ClozeKind::thing, U"전투"}},
    {U"조약", 2, {ClozeKind::thing, U"조약"}},     {U"협정", 2, {ClozeKind::thing, U"협정"}},
    {U"혁명", 2, {ClozeKind::thing, U"혁명"}},     {U"사건", 2, {ClozeKind::thing, U"사건"}},
    {U"대회", 2, {ClozeKind::thing, U"대회"}},     {U"월드컵", 1, {ClozeKind::thing, U"대회"}},
    {U"올림픽", 1, {ClozeKind::thing, U"대회"}},   {U"협회", 1, {ClozeKind::thing, U"단체"}},
    {U"연맹", 2, {ClozeKind::thing, U"단체"}},     {U"은행", 2, {ClozeKind::thing, U"은행"}},
    {U"신문", 2, {ClozeKind::thing, U"신문"}},     {U"일보", 2, {ClozeKind::thing, U"신문"}},
    {U"방송", 2, {ClozeKind::thing, U"방송사"}},   {U"공항", 2, {ClozeKind::place, U"공항"}},
    {U"공원", 2, {ClozeKind::place, U"공원"}},     {U"극장", 2, {ClozeKind::place, U"극장"}},
    {U"병원", 2, {ClozeKind::place, U"병원"}},     {U"궁전", 2, {ClozeKind::place, U"궁전"}},
    {U"산맥", 2, {ClozeKind::place, U"산맥"}},     {U"반도", 1, {ClozeKind::place, U"반도"}},
    {U"제도", 2, {ClozeKind::place, U"섬"}},       {U"성당", 2, {ClozeKind::place, U"성당"}},
    {U"교회", 2, {ClozeKind::thing, U"교회"}},     {U"왕조", 1, {ClozeKind::thing, U"왕조"}},
    {U"정리", 2, {ClozeKind::thing, U"정리"}},     {U"이론", 2, {ClozeKind::thing, U"이론"}},
    {U"효과", 2, {ClozeKind::thing, U"효과"}},     {U"기관", 2, {ClozeKind::thing, U"기관"}},
    {U"물질", 2, {ClozeKind::thing, U"물질"}},     {U"그룹", 2, {ClozeKind::thing, U"그룹"}},
    {U"리그", 2, {ClozeKind::thing, U"리그"}},     {U"대왕", 2, {ClozeKind::person, U"왕"}},
    {U"황제", 2, {ClozeKind::person, U"황제"}},    {U"천황", 1, {ClozeKind::person, U"천황"}},
    {U"섬", 2, {ClozeKind::place, U"섬"}},         {U"당", 3, {ClozeKind::thing, U"정당"}},
    {U"상", 4, {ClozeKind::thing, U"상"}},
};

const Words kCountries = {
    U"대한민국",     U"일본",           U"중국",          U"미국",       U"영국",
    U"프랑스",       U"독일",           U"이탈리아",      U"스페인",     U"포르투갈",
    U"러시아",       U"소련",           U"캐나다",        U"멕시코",     U"브라질",
    U"아르헨티나",   U"칠레",           U"페루",          U"콜롬비아",   U"쿠바",
    U"인도",         U"파키스탄",       U"이란",          U"이라크",     U"터키",
    U"이스라엘",     U"이집트",         U"에티오피아",    U"케냐",       U"나이지리아",
    U"모로코",       U"알제리",         U"호주",          U"뉴질랜드",   U"네덜란드",
    U"벨기에",       U"스위스",         U"스웨덴",        U"노르웨이",   U"덴마크",
    U"핀란드",       U"폴란드",         U"체코",          U"헝가리",     U"루마니아",
    U"불가리아",     U"그리스",         U"오스트리아",    U"우크라이나", U"베트남",
    U"타이",         U"필리핀",         U"인도네시아",    U"말레이시아", U"싱가포르",
    U"타이완",       U"몽골",           U"아일랜드",      U"스코틀랜드", U"잉글랜드",
    U"카자흐스탄",   U"세르비아",       U"크로아티아",    U"베네수엘라", U"북한",
    U"아프가니스탄", U"사우디아라비아", U"오스트레일리아"};

const Words kCities = {U"서울",   U"부산",     U"대구",       U"인천",   U"광주",         U"대전",
                       U"울산",   U"평양",     U"개성",       U"도쿄",   U"오사카",       U"교토",
                       U"베이징", U"상하이",   U"홍콩",       U"뉴욕",   U"런던",         U"파리",
                       U"베를린", U"로마",     U"모스크바",   U"워싱턴", U"로스앤젤레스", U"시카고",
                       U"빈",     U"마드리드", U"바르셀로나", U"시드니", U"하와이",       U"제주도",
                       U"만주"};

const Words kRoles = {
    U"화가",         U"배우",     U"가수",     U"작가",       U"소설가",     U"시인",
    U"감독",         U"정치인",   U"정치가",   U"대통령",     U"총리",       U"장군",
    U"제독",         U"수학자",   U"물리학자", U"화학자",     U"생물학자",   U"천문학자",
    U"경제학자",     U"역사학자", U"역사가",   U"철학자",     U"사상가",     U"과학자",
    U"발명가",       U"건축가",   U"작곡가",   U"피아니스트", U"기타리스트", U"지휘자",
    U"조각가",       U"만화가",   U"기업인",   U"기업가",     U"사업가",     U"언론인",
    U"기자",         U"군인",     U"법조인",   U"변호사",     U"교수",       U"의사",
    U"신학자",       U"목사",     U"교황",     U"황제",       U"국왕",       U"여왕",
    U"천황",         U"왕자",     U"공주",     U"공작",       U"백작",       U"남작",
    U"축구선수",     U"선수",     U"야구선수", U"투수",       U"코치",       U"래퍼",
    U"프로듀서",     U"코미디언", U"개그맨",   U"아나운서",   U"모델",       U"성우",
    U"의원",         U"장관",     U"위원장",   U"총장",       U"회장",       U"의장",
    U"총재",         U"사장",     U"시장",     U"주지사",     U"대사",       U"독립운동가",
    U"혁명가",       U"탐험가",   U"선교사",   U"승려",       U"학자",       U"언어학자",
    U"심리학자",     U"사회학자", U"문신",     U"무신",       U"왕비",       U"왕후",
    U"극작가",       U"평론가",   U"사진작가", U"방송인",     U"영화감독",   U"각본가",
    U"싱어송라이터", U"인물",     U"사람"};

const Words kWorks = {U"영화",       U"소설",   U"장편소설", U"앨범",   U"음반",     U"노래",
                      U"곡",         U"싱글",   U"책",       U"저서",   U"드라마",   U"만화",
                      U"희곡",       U"오페라", U"시",       U"시집",   U"잡지",     U"논문",
                      U"신문",       U"작품",   U"게임",     U"그림",   U"뮤지컬",   U"단편소설",
                      U"애니메이션", U"회고록", U"자서전",   U"소설집", U"프로그램", U"교향곡"};

const Words kCounters = {U"명",   U"개",   U"번",   U"회",       U"권",   U"편",   U"곡",
                         U"층",   U"척",   U"마리", U"가지",     U"종",   U"곳",   U"살",
                         U"위",   U"석",   U"표",   U"골",       U"경기", U"시간", U"분",
                         U"개월", U"가구", U"승",   U"패",       U"도루", U"홈런", U"채",
                         U"개국", U"개교", U"년간", U"쪽",       U"량",   U"타점", U"킬",
                         U"주년", U"부작", U"안타", U"어시스트", U"득점", U"연승", U"일간"};
const Words kUnits = {
    U"m",    U"km",       U"cm",       U"mm",           U"kg",           U"g",    U"t",
    U"%",    U"퍼센트",   U"원",       U"달러",         U"유로",         U"엔",   U"톤",
    U"미터", U"킬로미터", U"센티미터", U"파운드",       U"도",           U"km²",  U"m²",
    U"㎢",   U"㎡",       U"헥타르",   U"에이커",       U"평",           U"℃",    U"리터",
    U"프랑", U"루블",     U"위안",     U"제곱킬로미터", U"평방킬로미터", U"마일", U"ha"};

// Family names of one syllable, the frequent ones.
constexpr std::u32string_view kFamilyNames =
    U"김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진엄채변반";
// Last syllables that Korean names of three syllables do not have.
constexpr std::u32string_view kNotInNames =
    U"당국부회시군구청단사역산강법학교관원과적들장론력품성제권체물어소자실면지도계가점로터위";

// Syllables that Korean and Chinese-Korean words hardly have.
constexpr std::u32string_view kForeignSyllables =
    U"크트스르카코프브드키티츠즈셰쇼렌렉렐롤룬릭릴링맨멘믹벤벨뷔블빅빌샤셀슈슨슬앤앨엘웰윌윈잉젠찰"
    U"칸칼캐커케켄켈콘콜쿠클킨킬테텐톤튼팀"
    U"퍼페펜폰폴퓨핀헤헨";

const Words kEmptyNouns = {
    U"때문",   U"경우",   U"이후",   U"이전",   U"당시",   U"정도", U"사실",   U"자신",   U"자기",
    U"모두",   U"다음",   U"이유",   U"결과",   U"과정",   U"방법", U"문제",   U"부분",   U"일부",
    U"대부분", U"이것",   U"그것",   U"저것",   U"여기",   U"거기", U"우리",   U"그들",   U"그녀",
    U"이들",   U"사람",   U"사람들", U"하나",   U"이상",   U"이하", U"정의",   U"내용",   U"모습",
    U"의미",   U"존재",   U"역할",   U"상황",   U"상태",   U"가능", U"필요",   U"시작",   U"사용",
    U"이용",   U"발생",   U"영향",   U"관계",   U"관련",   U"대상", U"목적",   U"종류",   U"특징",
    U"형태",   U"수준",   U"기준",   U"분야",   U"중심",   U"이름", U"말",     U"다른",   U"여러",
    U"각각",   U"서로",   U"스스로", U"나머지", U"전체",   U"최초", U"마지막", U"최근",   U"현재",
    U"오늘날", U"지금",   U"이때",   U"그때",   U"동안",   U"시기", U"시대",   U"시절",   U"처음",
    U"원래",   U"실제",   U"일반",   U"보통",   U"주로",   U"특히", U"또한",   U"그러나", U"하지만",
    U"따라서", U"그리고", U"이러한", U"그러한", U"가운데", U"사이", U"주변",   U"근처",   U"내부",
    U"외부",   U"앞",     U"뒤",     U"위",     U"아래",   U"안",   U"밖",     U"속",     U"중",
    U"전",     U"후",     U"것",     U"수",     U"곳",     U"때",   U"점",     U"등",     U"제",
    U"이곳",   U"그곳",   U"이번",   U"지난",   U"반면",   U"대신", U"한편",   U"이외",   U"가지",
    U"무엇",   U"누구",   U"어디",   U"언제",   U"자체",   U"본인", U"상대",   U"먼저",   U"바로",
    U"매우",   U"가장",   U"비교",   U"시도",   U"활동",   U"생각", U"이야기", U"예정",   U"가능성",
    U"어떤",   U"어느",   U"모든",   U"같은",   U"다수",   U"소수", U"하루",   U"올해",   U"작년",
    U"오전",   U"오후",   U"그가",   U"그는",   U"이를",   U"이에", U"그의",   U"결국",   U"만약",
    U"비록",   U"물론",   U"이미",   U"아직",   U"계속",   U"직접", U"함께",   U"거의",   U"약간",
    U"다시",   U"현대",   U"고대",   U"중세",   U"근대",   U"초기", U"중기",   U"후기",   U"말기",
    U"초반",   U"중반",   U"후반",   U"전반",   U"이래",   U"도중", U"끝",     U"양쪽",   U"한쪽",
    U"그것들", U"이것들", U"자신들", U"사이트", U"위치",   U"기간", U"횟수",   U"순서",   U"차이",
    U"변화",   U"증가",   U"감소",   U"포함",   U"제외",   U"구성", U"설명",   U"표현",   U"기록",
    U"발견",   U"발표",   U"시간",   U"날",     U"해",     U"달",   U"주",     U"월",     U"일",
    U"년",     U"번째",   U"도움",   U"요소",   U"특성",   U"성격", U"방식",   U"유형",   U"용어",
    U"단어",   U"명칭",   U"개념",   U"원인",   U"이론적", U"조건", U"계기",   U"이어",   U"통해",
    U"위해",   U"대해",   U"의해",   U"따라",   U"관해",   U"인해", U"비해",   U"덕분",   U"만큼",
    U"정식",   U"공식",   U"유명",   U"대표",   U"주요",   U"기타", U"누군가", U"무언가", U"아무것",
    U"모양",   U"마찬",   U"앞서",   U"뿐",     U"만",     U"여부", U"예",     U"일종",   U"전부"};

// Words that refer to the previous sentence or to the document's subject.
const Words kLeftOut = {
    U"그",     U"그는",   U"그가",   U"그의",   U"그를",   U"그녀는",   U"그녀가", U"그녀의",
    U"이는",   U"이것은", U"이들은", U"이들의", U"그들은", U"그들의",   U"그리고", U"그러나",
    U"하지만", U"또한",   U"또",     U"따라서", U"그래서", U"한편",     U"즉",     U"특히",
    U"물론",   U"예를",   U"들어",   U"이후",   U"그후",   U"이때",     U"당시",   U"이에",
    U"이",     U"이러한", U"그러한", U"이런",   U"그런",   U"이로써",   U"이로",   U"여기서",
    U"반면",   U"반면에", U"다만",   U"역시",   U"결국",   U"그러므로", U"게다가", U"이어",
    U"이처럼", U"여기에", U"먼저",   U"우선",   U"본래",   U"이곳은",   U"이곳에", U"실제로",
    U"그런데", U"마침내", U"이를",   U"그중",   U"더불어", U"아울러",   U"이와"};

// Words that make the date before them vague: 2014년 4월 말.
const Words kVagueAfterDate = {
    U"말",   U"초",   U"중반",   U"후반",   U"초반",   U"중순",   U"하순",   U"상순",
    U"경",   U"무렵", U"말에",   U"초에",   U"경에",   U"무렵에", U"말까지", U"초까지",
    U"시즌", U"동안", U"중반에", U"후반에", U"초반에", U"전반",   U"봄",     U"여름",
    U"가을", U"겨울", U"현재",   U"기준",   U"말부터", U"초부터", U"초의",   U"말의"};

bool has_any(std::u32string_view word, std::u32string_view characters) {
  return word.find_first_of(characters) != std::u32string_view::npos;
}

}  // namespace

const char* to_word(ClozeKind kind) {
  constexpr const char* kNames[kClozeKinds] = {"date",   "count", "amount", "title",
                                               "person", "place", "thing"};
  return kNames[static_cast<int>(kind)];
}

std::optional<NounClass> noun_class(std::u32string_view noun) {
  if (kCountries.contains(noun)) return NounClass{ClozeKind::place, U"나라"};
  if (kCities.contains(noun)) return NounClass{ClozeKind::place, U"도시"};
  if (kWorks.contains(noun) || kRoles.contains(noun)) return std::nullopt;
  for (const Suffix& suffix : kSuffixes)
    if (noun.size() >= suffix.ending.size() + suffix.before && noun.ends_with(suffix.ending))
      return suffix.noun;
  return std::nullopt;
}

bool is_role(std::u32string_view word) { return kRoles.contains(word); }

bool is_korean_name(std::u32string_view word) {
  return word.size() == 3 && kFamilyNames.find(word[0]) != std::u32string_view::npos &&
         !has_any(word.substr(2), kNotInNames) && !kEmptyNouns.contains(word) &&
         !kRoles.contains(word) && !sounds_foreign(word);
}

bool sounds_foreign(std::u32string_view word) {
  return word.size() >= 2 && has_any(word, kForeignSyllables);
}

bool is_work(std::u32string_view word) { return kWorks.contains(word); }
bool is_counter(std::u32string_view word) { return kCounters.contains(word); }
bool is_unit(std::u32string_view word) { return kUnits.contains(word); }
bool is_empty_noun(std::u32string_view word) { return kEmptyNouns.contains(word); }

bool is_left_out(std::u32string_view word) { return kLeftOut.contains(word); }
bool is_vague_after_date(std::u32string_view word) { return kVagueAfterDate.contains(word); }

}  // namespace minibert
