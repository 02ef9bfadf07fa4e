// Everything that the page's JavaScript says to people, in Korean and English, and the error that carries
// it. A code is part of the documented interface (API.md): none is renamed.

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

// What a model for another task does not do.
const TASKS = {
  masks: ['빈칸을 채우지', 'fill masks'],
  answers: ['질문에 답하지', 'answer questions'],
  labels: ['글을 분류하지', 'label texts'],
  names: ['이름을 찾지', 'mark names'],
};

export const TEXTS = {
  // Errors of a question.
  'empty-text': [() => '문장이 비어 있습니다.', () => 'The text is empty.'],
  'no-mask': [() => '문장에 [MASK]가 없습니다.', () => 'The text has no [MASK].'],
  'text-too-long': [
    ({ found, limit }) => `문장이 너무 깁니다: 토큰 ${found}개, 이 모델은 ${limit}개까지 읽습니다.`,
    ({ found, limit }) => `The text is too long: ${found} tokens, this model reads at most ${limit}.`],
  'empty-question': [() => '질문이 비어 있습니다.', () => 'The question is empty.'],
  'question-too-long': [
    ({ found, limit }) => `질문이 너무 깁니다: 토큰 ${found}개, 이 모델은 ${limit}개까지 읽습니다.`,
    ({ found, limit }) => `The question is too long: ${found} tokens, this model reads at most ${limit}.`],
  'wrong-model': [
    ({ model, task }) => `"${model}" 모델은 ${TASKS[task][0]} 못합니다.`,
    ({ model, task }) => `The model "${model}" does not ${TASKS[task][1]}.`],
  'bad-argument': [
    ({ name, found, expected }) => `${name}: ${found} 대신 ${expected}이(가) 필요합니다.`,
    ({ name, found, expected }) => `${name}: found ${found}, expected ${expected}.`],
  // Errors of a model.
  'unknown-model': [
    ({ model, models }) => `"${model}" 모델이 없습니다. 있는 모델: ${models}.`,
    ({ model, models }) => `There is no model "${model}"; there are: ${models}.`],
  'bad-model': [
    ({ name }) => `${name}: minibert 모델 파일(.mbq)이 아니거나 파일이 손상되었습니다.`,
    ({ name, detail }) => `${name}: not a minibert model (.mbq), or damaged: ${detail}.`],
  'no-memory': [
    ({ bytes }) => `${megabytes(bytes)} 크기의 모델을 넣을 메모리가 모자랍니다.`,
    ({ bytes }) => `There is not enough memory for a model of ${megabytes(bytes)}.`],
  // Errors of a download.
  network: [
    ({ file }) => `${file}: 받지 못했습니다. 인터넷 연결을 확인해 주세요.`,
    ({ file, detail }) => `${file}: not received; check the connection (${detail}).`],
  http: [
    ({ file, status }) => `${file}: 서버가 보내지 않았습니다 (HTTP ${status}).`,
    ({ file, status }) => `${file}: the server did not send it (HTTP ${status}).`],
  'cut-off': [
    ({ file, received, size }) => `${file}: 중간에 끊겼습니다 (${size}바이트 가운데 ${received}바이트).`,
    ({ file, received, size }) => `${file}: cut off, ${received} bytes of ${size}.`],
  // Whatever the engine or the browser did not foresee.
  engine: [
    ({ detail }) => `계산 중에 오류가 났습니다: ${detail}`,
    ({ detail }) => `The engine failed: ${detail}`],
  // Notices.
  'no-webgl': [
    () => '브라우저의 하드웨어 가속(WebGL 2)이 꺼져 있어 글자로만 된 페이지를 보여 드립니다. 기능은 같습니다. 브라우저 설정에서 하드웨어 가속을 켜면 그림이 나옵니다.',
    () => 'Hardware acceleration (WebGL 2) is off in this browser, so this is the page without pictures. All else works; switch it on in the browser\'s settings for the pictures.'],
  'link-copied': [() => '링크를 복사했습니다.', () => 'Link copied.'],
  copied: [() => '복사했습니다.', () => 'Copied.'],
  'not-copied': [() => '복사하지 못했습니다. 브라우저가 클립보드를 막았습니다.',
    () => 'Not copied: the browser does not allow the clipboard.'],
  'not-pasted': [() => '붙여넣지 못했습니다. 브라우저가 클립보드를 막았습니다.',
    () => 'Not pasted: the browser does not allow the clipboard.'],
  'code-too-long': [() => '문장이 너무 길어 QR 코드에 들어가지 않습니다. 링크를 복사해 주세요.',
    () => 'Too long for a QR code: copy the link instead.'],
  'model-added': [({ name }) => `${name} 모델을 넣었습니다.`, ({ name }) => `Model ${name} added.`],
};

// { ko, en } of a code and its values.
export function texts(code, values = {}) {
  const [korean, english] = TEXTS[code];
  return { ko: korean(values), en: english(values) };
}

// What every function of window.minibert throws: `code` says which error it is, `values` its numbers and
// names, `message` the English sentence, `texts` both languages.
export class MinibertError extends Error {
  constructor(code, values = {}) {
    const both = texts(code, values);
    super(both.en);
    this.name = 'MinibertError';
    this.code = code;
    this.values = values;
    this.texts = both;
  }

  // Any thrown value as a MinibertError.
  static from(error) {
    return error instanceof MinibertError ? error : new MinibertError('engine', { detail: error?.message ?? String(error) });
  }
}
