// What the page says, in Korean and English. A key that is not here (a measure, a column) shows itself.
const WORDS = {
  ko: {
    title: '실험 보고서', other: 'English', all: '모두', none: '없음',
    lead: (runs, arms) => `모델 ${arms}개의 실행 ${runs}개. 아래에서 실행을 고르면 그림이 따라 바뀝니다. 다만 차이의 구간은 언제나 고른 모델의 모든 시드로 구합니다.`,
    arms: '어느 모델이 나은가', armsWhy: '점은 시드 평균, 띠는 95 % 구간입니다.', shown: '값', low: '구간의 아래', high: '구간의 위',
    floors: (list) => `점선은 배우지 않는 기준선입니다: ${list}.`,
    howSure: '차이는 얼마나 크고 얼마나 확실한가?', howLearnt: '어떻게 배웠나?', whichOnly: '한쪽만 맞힌 문항은?', whatDiffered: '무엇이 달랐나?', whereMade: '어디서 만들었나?',
    clustersAlone: '글만 달랐을 때의 구간(시드 하나)', notAsked: '실험에서 묻지 않은 쌍',
    comparison: '비교',
    comparisonWhy: '시드의 평균 ± 표준편차이고 가장 나은 값이 굵습니다. 구간은 문항과 시드가 달라질 때의 95 % 신뢰구간이고, p가 0.05보다 작으면 분명한 차이로 봅니다. 구하는 방법은 results/README.md에 있습니다.',
    arm: '모델', runs: '실행', run: '실행', difference: '차이', sure: '분명함', sureAlone: '따로 보면 분명하지만 묻는 쌍을 모두 감안하면 아님', unsure: '우연일 수 있음', holm: 'p (Holm)', runBetter: '실행 하나가 더 나을 확률', clusters: (n) => `${n}묶음`, allFigures: '모든 수치', examples: '문항', interval: '95 % 구간',
    curves: '학습 곡선', measure: '지표', axis: '가로축', smoothing: '평활', band: '시드를 띠로',
    step: '스텝', epoch: '에폭', tokens: '토큰', seconds: '시간(초)', flops: '연산(FLOPs)',
    atEqual: '같은 예산에서', budget: '예산',
    atEqualWhy: '모델마다 계산한 양이 다르므로, 같은 만큼 계산했을 때의 개발 데이터(dev) 점수를 비교합니다. 실행마다 한도 안에서 마지막으로 평가한 값입니다.', limit: (n, what, run) => `한도: ${what} ${n}. 가장 적게 계산한 실행(${run})의 총량입니다.`, ofAll: '총량',
    config: '설정의 차이', configWhy: '모델마다 값이 다른 항목입니다.', allKeys: '같은 항목도 보기', alike: '고른 모델들의 설정이 모두 같습니다.', key: '항목',
    wins: '문항별 승패', winsWhy: '두 모델의 예측을 문항마다 나란히 놓았습니다. 점수는 고른 시드의 평균이고, 보이는 예측은 그 가운데 첫 시드의 것입니다.',
    first: '첫째', second: '둘째', search: '찾기', better: (n) => `더 나음 ${n}`, worse: (n) => `더 나쁨 ${n}`, equal: (n) => `같음 ${n}`,
    onlyBetter: '첫째가 나은 문항', onlyWorse: '둘째가 나은 문항', gold: '정답', id: '문항', text: '질문',
    shownOf: (n, all) => `${all}개 가운데 차이가 큰 ${n}개입니다.`, nothingShared: '두 모델이 함께 푼 문항이 없습니다.',
    length: '길이와 정확도', lengthWhy: '글자 수에 따른 평균 점수입니다. 답이 글이면 정답의 글자 수, 라벨이면 질문의 글자 수입니다.', characters: '글자 수',
    calibration: '확신과 정확도', calibrationWhy: '모델이 매긴 확률과 실제로 맞은 비율입니다. 점선에 가까울수록 확률을 믿을 수 있습니다.',
    probability: '확률', share: '맞은 비율',
    confusion: '혼동 행렬', confusionWhy: '행은 정답, 열은 예측이고, 고른 시드의 예측을 모두 셉니다.', prediction: '예측', count: '개수',
    provenance: '환경과 데이터', provenanceWhy: '실행을 어디에서 무엇으로 했는지 보여 줍니다. 실행마다 다른 항목에 색이 있습니다.',
    warnings: '알림', running: '실행 중', interrupted: '중단됨', failed: '실패',
    nothing: '고른 실행에는 해당하는 내용이 없습니다.',
  },
  en: {
    title: 'Experiment report', other: '한국어', all: 'all', none: 'none',
    lead: (runs, arms) => `${runs} runs of ${arms} arms. Choosing runs below filters every chart; intervals of differences always use all seeds of the chosen arms.`,
    arms: 'Which arm is better', armsWhy: 'A point is the mean over seeds, a bar its 95 % interval.', shown: 'value', low: 'from', high: 'to',
    floors: (list) => `Dashed lines are floors, which learn nothing: ${list}.`,
    howSure: 'How large is each difference, and how sure?', howLearnt: 'How did they learn?', whichOnly: 'Which questions does only one get right?', whatDiffered: 'What differed?', whereMade: 'Where were they made?',
    clustersAlone: 'over clusters alone (one seed)', notAsked: 'not asked by the experiment',
    comparison: 'Comparison',
    comparisonWhy: 'Mean ± standard deviation over seeds, the best in bold. Intervals are 95 % intervals over other examples and seeds; a p below 0.05 marks a clear difference. results/README.md explains both.',
    arm: 'arm', runs: 'runs', run: 'run', difference: 'difference', sure: 'clear', sureAlone: 'clear alone, not among the pairs asked about', unsure: 'may be chance', holm: 'p (Holm)', runBetter: 'P(one run is better)', clusters: (n) => `${n} clusters`, allFigures: 'all figures', examples: 'examples', interval: '95 % interval',
    curves: 'Learning curves', measure: 'measure', axis: 'axis', smoothing: 'smoothing', band: 'seeds as a band',
    step: 'step', epoch: 'epoch', tokens: 'tokens', seconds: 'seconds', flops: 'FLOPs',
    atEqual: 'At equal budgets', budget: 'budget',
    atEqualWhy: 'Dev figures at one budget that every arm reached: each run’s last evaluation within it.', limit: (n, what, run) => `The limit is ${n} ${what}, the smallest total of a run (${run}).`, ofAll: 'of',
    config: 'Configuration differences', configWhy: 'Keys whose values differ between arms.', allKeys: 'show equal keys too', alike: 'The chosen arms are configured alike.', key: 'key',
    wins: 'Wins and losses by example', winsWhy: 'Two arms’ predictions side by side. Scores are means over the chosen seeds; the predictions shown are those of the first of them.',
    first: 'first', second: 'second', search: 'search', better: (n) => `better ${n}`, worse: (n) => `worse ${n}`, equal: (n) => `equal ${n}`,
    onlyBetter: 'first is better', onlyWorse: 'second is better', gold: 'gold', id: 'example', text: 'asked',
    shownOf: (n, all) => `These are ${n} of ${all}, with the largest differences.`, nothingShared: 'The two arms share no example.',
    length: 'Length against accuracy', lengthWhy: 'Mean score by number of characters, those of the gold answer where answers are texts, those of the question where they are labels.', characters: 'characters',
    calibration: 'Calibration', calibrationWhy: 'The model’s probability against the share that was right. On the dashed line both are equal.',
    probability: 'probability', share: 'share that was right',
    confusion: 'Confusion matrix', confusionWhy: 'Rows are gold labels, columns predictions, counted over all chosen seeds.', prediction: 'prediction', count: 'count',
    provenance: 'Environment and data', provenanceWhy: 'Machine, libraries and data of each run. Values that differ between runs are coloured.',
    warnings: 'Notes', running: 'running', interrupted: 'interrupted', failed: 'failed',
    nothing: 'The chosen runs have nothing for this.',
  },
};

let language = navigator.language.startsWith('ko') ? 'ko' : 'en';
// A measure's heading in tables.
const headed = (heading) => language === 'ko' ? DATA.headings[heading] ?? heading : heading;
const say = (key, ...values) => {
  const word = WORDS[language][key] ?? key;
  return typeof word === 'function' ? word(...values) : word;
};
