// What the page says, in Korean and English. A key that is not here (a measure, a column) shows itself.
const WORDS = {
  ko: {
    title: '실험 보고서', other: 'English', all: '모두', none: '없음',
    lead: (runs, arms) => `실행 ${runs}개, 구성 ${arms}개. 아래에서 실행을 고르면 모든 그림이 따라 바뀝니다. 차이의 구간만은 고른 구성의 모든 시드로 구한 것입니다.`,
    arms: '어느 구성이 나은가', armsWhy: '점은 시드 평균, 띠는 95 % 구간입니다.', shown: '값', low: '구간의 아래', high: '구간의 위',
    floors: (list) => `점선은 배우지 않는 기준선입니다: ${list}.`,
    answer: ({ arm, baseline, difference, low, high, single, heading, figure, lower }) => {
      const range = low == null ? '' : `, 다른 글이라면 ${difference < 0 ? figure(high) : figure(low)}~${difference < 0 ? figure(low) : figure(high)}`;
      const seeds = single.length > 0 ? `, ${single.join(', ')}: 한 번만 학습해 다른 시드는 알 수 없음` : '';
      if (low != null && low <= 0 && high >= 0) return `${arm}와(과) ${baseline}의 ${heading} 차이는 분명하지 않습니다 (${difference < 0 ? '−' : '+'}${figure(difference)}${seeds}).`;
      return `${arm}의 ${heading}는 ${baseline}보다 ${figure(difference)} ${(difference > 0) !== lower ? '낫습니다' : '못합니다'} (95 % 구간${range}${seeds}).`;
    },
    howSure: '차이는 얼마나 크고 얼마나 확실한가?', howLearnt: '어떻게 배웠나?', whichOnly: '한쪽만 맞힌 문항은?', whatDiffered: '무엇이 달랐나?', whereMade: '어디서 만들었나?',
    clustersAlone: '글만 달랐을 때의 구간(시드 하나)', notAsked: '실험이 묻지 않은 쌍',
    comparison: '비교',
    comparisonWhy: '구성마다 실행(시드)의 평균 ± 표준편차이고, 가장 나은 값이 굵습니다. 차이의 95 % 구간은 문항과 시드가 달랐다면 차이가 얼마나 바뀌었을지를 나타냅니다. 같은 글에서 나온 문항은 서로 닮으므로 묶음째로 하나씩 빼 보고(잭나이프), 구성마다 시드 사이의 차이를 더합니다. 학습하는 구성의 시드가 하나뿐이면 구간은 글만 달랐을 때의 것이고 p가 없습니다. p는 차이가 없는데도 이만큼 차이 날 확률이고, 실험이 묻는 쌍의 수만큼 홀름(Holm) 방법으로 올려 잡았습니다. 0.05보다 작으면 분명한 차이로 봅니다.',
    arm: '구성', runs: '실행', run: '실행', difference: '차이', sure: '분명함', sureAlone: '따로 보면 분명, 묻는 쌍 가운데서는 아님', unsure: '우연일 수 있음', holm: 'p (Holm)', runBetter: '실행 하나가 더 나을 확률', clusters: (n) => `${n}묶음`, allFigures: '모든 수치', examples: '문항', interval: '95 % 구간',
    curves: '학습 곡선', measure: '지표', axis: '가로축', smoothing: '평활', band: '시드를 띠로',
    step: '스텝', epoch: '에폭', tokens: '토큰', seconds: '시간(초)', flops: '연산(FLOPs)',
    atEqual: '같은 예산에서', budget: '예산',
    atEqualWhy: '구성마다 얼마나 계산했는지가 다르므로, 모두가 같은 만큼 쓴 지점에서 dev 점수를 비교합니다. 실행마다 그 한도를 넘지 않은 마지막 평가를 쓰며, 평가 사이의 값은 지어내지 않습니다.', limit: (n, what, run) => `한도는 ${what} ${n}: 가장 적게 쓴 실행(${run})의 총량입니다.`, ofAll: '총량',
    config: '설정의 차이', configWhy: '구성들이 서로 다른 값을 가진 항목입니다.', allKeys: '같은 항목도 보기', alike: '고른 구성들의 설정이 모두 같습니다.', key: '항목',
    wins: '문항별 승패', winsWhy: '두 구성의 예측을 문항마다 나란히 놓았습니다. 점수는 고른 시드의 평균이고, 보이는 예측은 그 가운데 첫 시드의 것입니다.',
    first: '첫째', second: '둘째', search: '찾기', better: (n) => `더 나음 ${n}`, worse: (n) => `더 나쁨 ${n}`, equal: (n) => `같음 ${n}`,
    onlyBetter: '첫째가 나은 문항', onlyWorse: '둘째가 나은 문항', gold: '정답', id: '문항', text: '물음',
    shownOf: (n, all) => `${all}개 가운데 차이가 큰 ${n}개입니다.`, nothingShared: '두 구성이 함께 푼 문항이 없습니다.',
    length: '길이와 정확도', lengthWhy: '글자 수에 따른 평균 점수입니다. 답이 글이면 정답의 글자 수, 답이 분류이면 물음의 글자 수입니다.', characters: '글자 수',
    calibration: '확신과 정확도', calibrationWhy: '모델이 매긴 확률과 실제로 맞은 비율입니다. 점선에 가까울수록 모델의 확률이 실제로 맞은 비율과 일치합니다.',
    probability: '확률', share: '맞은 비율',
    confusion: '혼동 행렬', confusionWhy: '행은 정답, 열은 예측이고, 고른 시드의 예측을 모두 셉니다.', prediction: '예측', count: '개수',
    provenance: '환경과 데이터', provenanceWhy: '실행이 어디서 무엇으로 이루어졌는지입니다. 실행마다 다른 항목에 색이 있습니다.',
    warnings: '알림', running: '실행 중', interrupted: '중단됨', failed: '실패',
    nothing: '고른 실행에는 해당하는 내용이 없습니다.',
  },
  en: {
    title: 'Experiment report', other: '한국어', all: 'all', none: 'none',
    lead: (runs, arms) => `${runs} runs of ${arms} arms. Choosing runs below filters every chart. Only the intervals of differences are of all seeds of the chosen arms.`,
    arms: 'Which arm is better', armsWhy: 'A point is the mean over seeds, a bar its 95 % interval.', shown: 'value', low: 'from', high: 'to',
    floors: (list) => `Dashed: floors, which learn nothing: ${list}.`,
    answer: ({ text }) => text,
    howSure: 'How large is each difference, and how sure?', howLearnt: 'How did they learn?', whichOnly: 'Which questions does only one get right?', whatDiffered: 'What differed?', whereMade: 'Where were they made?',
    clustersAlone: 'over clusters alone (one seed)', notAsked: 'not asked by the experiment',
    comparison: 'Comparison',
    comparisonWhy: 'Mean ± standard deviation over an arm’s runs (seeds), the best in bold. The 95 % interval of a difference tells how far it might move with other examples and other seeds: examples of one text are alike and are left out in whole clusters (jackknife), and what differs between an arm’s seeds is added. Where an arm that learns has one seed, the interval is over clusters alone and there is no p. p is how probable so large a difference is where there is none, corrected for the pairs that the experiment asks about (Holm): below 0.05 a difference counts as clear.',
    arm: 'arm', runs: 'runs', run: 'run', difference: 'difference', sure: 'clear', sureAlone: 'clear alone, not among the pairs asked about', unsure: 'may be chance', holm: 'p (Holm)', runBetter: 'P(one run is better)', clusters: (n) => `${n} clusters`, allFigures: 'all figures', examples: 'examples', interval: '95 % interval',
    curves: 'Learning curves', measure: 'measure', axis: 'axis', smoothing: 'smoothing', band: 'seeds as a band',
    step: 'step', epoch: 'epoch', tokens: 'tokens', seconds: 'seconds', flops: 'FLOPs',
    atEqual: 'At equal budgets', budget: 'budget',
    atEqualWhy: 'Arms compute differently much, so they are compared by their dev figures where all had spent the same. Every run stands with its last evaluation within that limit; nothing is interpolated between evaluations.', limit: (n, what, run) => `The limit is ${n} ${what}, the smallest total of a run (${run}).`, ofAll: 'of',
    config: 'Configuration differences', configWhy: 'Keys whose values differ between arms.', allKeys: 'show equal keys too', alike: 'The chosen arms are configured alike.', key: 'key',
    wins: 'Wins and losses by example', winsWhy: 'Two arms’ predictions side by side. Scores are means over the chosen seeds; the predictions shown are those of the first of them.',
    first: 'first', second: 'second', search: 'search', better: (n) => `better ${n}`, worse: (n) => `worse ${n}`, equal: (n) => `equal ${n}`,
    onlyBetter: 'first is better', onlyWorse: 'second is better', gold: 'gold', id: 'example', text: 'asked',
    shownOf: (n, all) => `These are ${n} of ${all}, with the largest differences.`, nothingShared: 'The two arms share no example.',
    length: 'Length against accuracy', lengthWhy: 'Mean score by number of characters: of the gold answer where answers are texts, of what was asked where they are labels.', characters: 'characters',
    calibration: 'Calibration', calibrationWhy: 'The model’s probability against the share that was right. On the dashed line the probabilities are true.',
    probability: 'probability', share: 'share that was right',
    confusion: 'Confusion matrix', confusionWhy: 'Rows are gold labels, columns predictions, counted over all chosen seeds.', prediction: 'prediction', count: 'count',
    provenance: 'Environment and data', provenanceWhy: 'Where and with what the runs were made. What differs between runs is coloured.',
    warnings: 'Notes', running: 'running', interrupted: 'interrupted', failed: 'failed',
    nothing: 'The chosen runs have nothing for this.',
  },
};

let language = navigator.language.startsWith('ko') ? 'ko' : 'en';
const say = (key, ...values) => {
  const word = WORDS[language][key] ?? key;
  return typeof word === 'function' ? word(...values) : word;
};
