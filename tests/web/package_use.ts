// The npm package as another's program uses it: types.mjs compiles this with --strict. Never run.
import { Engine, load, MinibertError, pipeline, version } from 'minibert';
import type { ErrorCode, FillResult, Model } from 'minibert';

export async function use(url: URL, file: File, signal: AbortSignal): Promise<string> {
  const fill = await pipeline('fill-mask', url, { progress: ({ received, total }) => console.log(received / total), signal });
  const one: FillResult = await fill('오늘 [MASK] 먹었다', { top: 3, signal });
  const many: FillResult[] = await fill(['나는 [MASK]에 간다', '[MASK]이다'] as const);
  // @ts-expect-error: a number is no text
  await fill(3);
  fill.dispose();

  const answer = await pipeline('question-answering', file);
  const [first] = (await answer('누가?', '세종이 만들었다.')).answers;
  const places: number[] = (await answer(['누가?', '무엇을?'], '세종이 한글을 만들었다.')).map(({ answers }) => answers[0].begin);

  const engine = new Engine();
  const model: Model = await load(new ArrayBuffer(8), { engine, name: 'mine', size: 8 });
  const classify = await pipeline('text-classification', model);
  const labels: string[] = (await classify('좋다', { words: true })).labels.map(({ label }) => label);
  const tag = await pipeline('token-classification', 'tags.mbq', { engine });
  const types: string[] = (await tag(['서울', '부산'])).flatMap(({ entities }) => entities.map(({ type }) => type));
  const embed = await pipeline('feature-extraction', model);
  const vector: Float32Array = (await embed('안녕', { pooling: 'cls', normalize: false })).values;
  // @ts-expect-error: no such task
  await pipeline('translation', url);
  const { masks: changed, word } = await model.intervene('나는 [MASK]에 간다', { withoutLayers: [1], withoutHeads: ['2.1'],
    patch: { text: '너는 [MASK]에 간다', layer: 1, at: [2, '3:4'] }, word: '학교', signal });
  const moved: number = changed[0].guesses[0].probability - changed[0].guesses[0].before + word[0].probability;
  // @ts-expect-error: heads are written as texts
  await model.intervene('[MASK]', { withoutHeads: [1.1] });
  const early: number[] = (await model.checkpoints('나는 [MASK]', { top: 3 })).map(({ share, masks }) => share + masks.length);
  engine.dispose();

  try {
    await model.fill('');
  } catch (error) {
    if (error instanceof MinibertError) {
      const code: ErrorCode = error.code;
      return `${code} ${error.texts.ko} ${error.index ?? ''}`;
    }
  }
  return [version, one.filled, many.length, first.text, places, labels, types, vector.length, moved, early].join();
}
