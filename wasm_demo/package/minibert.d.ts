// Types of the package (README.md).

export interface Token {
  id: number;
  piece: string;
  /** UTF-16 units of the text, [begin, end); both 0 for [CLS] and [SEP]. */
  begin: number;
  end: number;
}

export interface Guess {
  id: number;
  piece: string;
  /** What takes the mask's place. */
  text: string;
  probability: number;
}

export interface Mask {
  /** Among the tokens. */
  position: number;
  begin: number;
  end: number;
  guesses: Guess[];
}

export interface WordGuess {
  /** What takes the mask's place. */
  text: string;
  /** Of its most probable division. */
  pieces: { id: number; piece: string }[];
  probability: number;
}

export interface WordScore {
  pieces: {
    id: number;
    piece: string;
    /** Among the pieces that fit there, from 1; 0 for one that never fits. */
    rank: number;
    probability: number;
  }[];
  probability: number;
}

export interface FillResult {
  tokens: Token[];
  masks: Mask[];
  /** The text with every mask replaced by its best guess. */
  filled: string;
  timing: { tokenize_ms: number; encoder_ms: number; output_ms: number };
  kernel: string;
}

export interface Answer {
  text: string;
  /** UTF-16 units of the text that was asked about, [begin, end). */
  begin: number;
  end: number;
  /** Among the spans that were compared. */
  probability: number;
}

export interface AnswerResult {
  /** Best first. */
  answers: Answer[];
  question_pieces: number;
  context_pieces: number;
  /** In which the text was read; they overlap. */
  windows: number;
  timing: { tokenize_ms: number; encoder_ms: number; output_ms: number };
  kernel: string;
}

export interface ClassifyResult {
  /** Most probable first. */
  labels: { label: string; probability: number }[];
  /** Each label has a probability of its own: the text has those of at least 0.5, or none. */
  several: boolean;
  /** Those that were read; empty where they were not asked for. */
  words: {
    text: string;
    /** UTF-16 units of the text, [begin, end). */
    begin: number;
    end: number;
    /** Of the best label, with the word's pieces in [MASK]'s place. */
    probability: number;
    /** What the best label loses without the word, -1 to 1. */
    effect: number;
  }[];
  /**
   * Of the text and a second one, and how many of them were read: of one text all, in windows that overlap. Of two
   * the longer is read so, and of the shorter at most half a window.
   */
  pieces: number;
  read: number;
  timing: { tokenize_ms: number; encoder_ms: number; output_ms: number };
  kernel: string;
}

export interface TagResult {
  /** In the text's order. */
  entities: {
    /** As the model's labels have it: "PS", "LC", "OG", "DT", "TI", "QT" of KLUE-NER. */
    type: string;
    text: string;
    /** UTF-16 units of the text, [begin, end). */
    begin: number;
    end: number;
    /** The mean of its pieces' tags'. */
    probability: number;
  }[];
  /** Of the text, and how many of them were read: all, a long text in windows that overlap. */
  pieces: number;
  read: number;
  timing: { tokenize_ms: number; encoder_ms: number; output_ms: number };
  kernel: string;
}

export interface Attention {
  tokens: Token[];
  layers: number;
  /** The first so many mix neighbours by convolution and have no attention. */
  local_layers: number;
  heads: number;
  /** [layers - local_layers, heads, tokens, tokens]; rows attend to columns. */
  weights: Float32Array;
}

export interface Embedding {
  /** With [CLS] and [SEP]. */
  tokens: Token[];
  /** d_model of the model. */
  width: number;
  /** [width]; with pooling "none" [tokens, width]. */
  values: Float32Array;
}

/** What the model did with a text. S tokens, E embedding_size, D d_model, F d_ff, A layers - local_layers. */
export interface Explanation {
  tokens: Token[];
  layers: number;
  local_layers: number;
  /** Taps of a local layer's convolution, K. */
  local_taps: number;
  heads: number;
  d_model: number;
  d_ff: number;
  embedding_size: number;
  share_layers: boolean;
  /** Attention adds a value for the distance; there are no position embeddings. */
  relative_position: boolean;
  /** Taps of a convolution on queries, keys and values; 0: none. */
  conv: number;
  /** The feed-forward's units are products: GELU of one number times another. */
  geglu: boolean;
  /** What a head brings is scaled by a gate. */
  head_gate: boolean;
  mlm_transform: boolean;
  masks: {
    position: number;
    /** What the output head would guess from what enters the first layer and from what leaves each. */
    stages: { text: string; logit: number; probability: number }[][];
    /** Of the first guess, [2 layers + 1]: what the output head would give it for what enters the first layer, then for
     * what the attention (or convolution) of each layer leaves, and its feed-forward. */
    path: { rank: number; probability: number }[];
    /** Tokens that the text shows and what their scores got on top for that; empty where the model has
     * no such bonus. */
    shown: { text: string; added: number }[];
    /** Of all pieces that fit, in the order of their ids. */
    logits: Float32Array;
  }[];
  /** [S, E] each: their sum, normalized (and projected where E is not D), enters the first layer. position
   * is empty with relative_position. */
  token: Float32Array;
  position: Float32Array;
  segment: Float32Array;
  /** [layers + 1, S, D]: what enters the first layer, then what leaves each; of a model with norm "pre" before the
   * final LayerNorm, which embed() (and `minibert embed`) has behind it. */
  states: Float32Array;
  /** [local_layers, S, K]: the length of what each tap adds to a token. */
  taps: Float32Array;
  /** [A, S, 3 D]: queries, keys, values, after their convolution where there is one. */
  qkv: Float32Array;
  /** [A, heads, 2 S - 1]: what is added to the score of the token that is o behind, at S - 1 + o; empty
   * without relative_position. */
  offsets: Float32Array;
  /** [A, S, heads], 0 to 1; empty without head_gate. */
  gates: Float32Array;
  /** [layers, S, F]: the feed-forward's units after GELU or GEGLU. */
  units: Float32Array;
  /** [A, heads, S, S]. */
  attention: Float32Array;
}

/** What is changed inside a model: `minibert fill-mask --without-layer --without-head --patch --word`. */
export interface Changes {
  /** Counted from 1; they add nothing. */
  withoutLayers?: readonly number[];
  /** "LAYER.HEAD", both counted from 1; their output is zero. */
  withoutHeads?: readonly string[];
  /** States of another text take the place of this one's. layer: 0 what enters the first layer, n what leaves layer n.
   * at: positions among the tokens, [CLS] being 0, in both texts, or "FROM:TO"; without it all, of texts of as many
   * tokens. */
  patch?: { text: string; layer: number; at?: readonly (number | string)[] };
  /** Followed through the layers, at the mask-th (0) [MASK]. */
  word?: string;
  mask?: number;
}

export interface InterventionResult {
  tokens: Token[];
  layers: number;
  local_layers: number;
  heads: number;
  masks: {
    /** Among the tokens. */
    position: number;
    /** Of the changed model, best first; before: the untouched model's probability of the same. */
    guesses: (Guess & { before: number })[];
    /** The untouched model's. */
    before: Guess[];
  }[];
  /** How likely the word is for what enters the first layer and for what leaves each, in the changed model and in the
   * untouched one; empty without a word. */
  word: WordScore[];
  word_before: WordScore[];
}

/** What a model filled in at one point of its training. */
export interface Checkpoint {
  /** Of the training's steps, in thousandths: 0 before the first, 1000 after the last. */
  share: number;
  masks: Mask[];
  filled: string;
}

export type Task = 'masks' | 'answers' | 'labels' | 'names';

/** A figure of a model's run on the data of a split. */
export interface CardFigure {
  name: string;
  heading: string;
  split: string;
  decimals: number;
  value: number;
}

export interface ModelFacts {
  task: Task;
  weights: 'int8' | 'float32';
  kernel: string;
  parameters: number;
  file_bytes: number;
  source_run: string;
  source_sha256: string;
  metrics: Record<string, number>;
  card: CardFigure[];
  vocab_size: number;
  d_model: number;
  n_heads: number;
  d_ff: number;
  n_layers: number;
  max_positions: number;
  /** Of a series (.mbqs): at which thousandths of the training checkpoints() tells. */
  checkpoints?: number[];
  /** Of a model that answers questions. */
  answers?: { max_length: number; max_question: number; stride: number; overlap: boolean; max_answer: number };
  /** Of a model that labels texts; `pairs`: whether they were pairs, where the file says it. */
  classifies?: { max_length: number; pooling: 'cls' | 'mean'; several: boolean; pairs?: boolean; labels: string[] };
  /** Of a model that marks names. */
  tags?: { max_length: number; labels: string[] };
  [key: string]: unknown;
}

export type ErrorCode = 'empty-text' | 'no-mask' | 'text-too-long' | 'empty-question' |
  'question-too-long' | 'second-text' | 'wrong-model' | 'bad-argument' | 'unknown-model' | 'bad-model' |
  'no-memory' | 'network' | 'unreadable' | 'stopped' | 'http' | 'cut-off' | 'disposed' | 'unsupported' | 'engine';

/** What everything here rejects with, but for an AbortSignal's own reason. */
export class MinibertError extends Error {
  constructor(code: ErrorCode, values?: Record<string, string | number>);
  name: 'MinibertError';
  code: ErrorCode;
  values: Record<string, string | number>;
  /** The message in both languages. */
  texts: { ko: string; en: string };
  /** Of several texts the one that failed, from 0. */
  index?: number;
  /** Any thrown value as a MinibertError; one that is none has the code "engine". */
  static from(error: unknown): MinibertError;
}

/** Of this package. */
export const version: string;

/** Bytes that came, of all that are to come: the engine's (once a page) and the model's. `total` grows where a
 * server does not tell a size. */
export type OnProgress = (progress: { received: number; total: number }) => void;

export interface Asked {
  /** The answer is not waited for once it is aborted: the call rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The address of a .mbq, a File or Blob, or its bytes. */
export type ModelSource = string | URL | Blob | ArrayBuffer | ArrayBufferView;

export interface LoadOptions extends Asked {
  progress?: OnProgress;
  /** What messages call the model; else the end of its address. */
  name?: string;
  /** Bytes of the file: another number is an error, "cut-off". */
  size?: number;
}

/** A model in memory. */
export interface Model {
  readonly name: string;
  readonly task: Task;
  readonly facts: ModelFacts;
  /** The best pieces for each [MASK], or in a text without one for each blank as people write it: ___, ( ), [ mask ],
   * <mask>, □, ○○. Of both forms of a particle behind a mask (을(를), 은/는) one is read. top (10) is 1 to 1000. */
  fill(text: string, options?: Asked & { top?: number }): Promise<FillResult>;
  /** The parts of the text that answer the question; top (5) is 1 to 1000. */
  answer(question: string, text: string, options?: Asked & { top?: number }): Promise<AnswerResult>;
  /** second: of models of pairs. words (false): weigh each word, which takes a forward pass a word. */
  classify(text: string, options?: Asked & { second?: string; words?: boolean }): Promise<ClassifyResult>;
  tag(text: string, options?: Asked): Promise<TagResult>;
  /** What the encoder makes of the text, of any model. pooling ("mean"): over all tokens, "cls": [CLS] alone,
   * "none": each token's. normalize (true): to length 1. */
  embed(text: string, options?: Asked & { pooling?: 'mean' | 'cls' | 'none'; normalize?: boolean }): Promise<Embedding>;
  /** Whole words of one to three pieces for the mask-th (0) [MASK]. */
  words(text: string, options?: Asked & { mask?: number; top?: number }): Promise<WordGuess[]>;
  /** How probable a word is there. */
  score(text: string, word: string, options?: Asked & { mask?: number }): Promise<WordScore>;
  /** With [CLS] and [SEP] where the model fills masks. */
  tokenize(text: string, options?: Asked): Promise<Token[]>;
  attention(text: string, options?: Asked): Promise<Attention>;
  explain(text: string, options?: Asked & { top?: number }): Promise<Explanation>;
  /** The guesses of a model that is changed inside, beside its own; the model stays as it is. top (10) is 1 to 1000. */
  intervene(text: string, options?: Asked & Changes & { top?: number }): Promise<InterventionResult>;
  /** Of a series (.mbqs): the guesses of the model at several points of its training, whose last one it is. */
  checkpoints(text: string, options?: Asked & { top?: number }): Promise<Checkpoint[]>;
  /** What minibert_NAME(model, ...values) of wasm_demo/engine/engine_abi.cpp answers, as JSON text that nothing
   * has parsed or checked; of "attention", "explain" and "embed" with the numbers that it leaves. */
  ask(name: string, values: (string | number | boolean)[], options?: Asked):
    Promise<string | { json: string; numbers: Float32Array<ArrayBuffer> }>;
  /** Gives its memory back. */
  dispose(): void;
}
export const Model: abstract new () => Model;

export interface EngineModules {
  /** Of engine.wasm. */
  engineWasm: Uint8Array;
  /** Of relaxed_simd.wasm; null: the plain SIMD kernels alone. */
  relaxedWasm: Uint8Array | null;
}

/** A worker with the engine in it. Models in one engine are asked one after the other; those of two at once. */
export class Engine {
  constructor();
  /** Loads the engine's own files, or takes their bytes; load() does it where it was not done. Once; after a
   * failure it may be called again. */
  start(options?: { modules?: EngineModules | Promise<EngineModules> }): Promise<void>;
  load(source: ModelSource, options?: LoadOptions): Promise<Model>;
  /** Of the engine and its models. */
  memory(): Promise<{ bytes: number }>;
  /** Ends the worker, and all its models with it. */
  dispose(): void;
}

/** A model, in the page's common engine or in one of one's own. The common engine ends with its last model. */
export function load(source: ModelSource, options?: LoadOptions & { engine?: Engine }): Promise<Model>;

type PipelineOptions = LoadOptions & { engine?: Engine };

/** What every pipeline has beside its call. */
export interface Pipeline<Name extends string> {
  readonly task: Name;
  readonly model: Model;
  /** Gives the memory of the model back, if the pipeline loaded it. */
  dispose(): void;
}

/** Of several texts, one answer for each in their order; an error names the text by its index. */
export interface FillMask extends Pipeline<'fill-mask'> {
  (text: string, options?: Asked & { top?: number }): Promise<FillResult>;
  (texts: readonly string[], options?: Asked & { top?: number }): Promise<FillResult[]>;
}
/** Several questions may be about one text, or one question about several texts. */
export interface QuestionAnswering extends Pipeline<'question-answering'> {
  (question: string, text: string, options?: Asked & { top?: number }): Promise<AnswerResult>;
  (questions: readonly string[], texts: string | readonly string[], options?: Asked & { top?: number }): Promise<AnswerResult[]>;
  (question: string, texts: readonly string[], options?: Asked & { top?: number }): Promise<AnswerResult[]>;
}
export interface TextClassification extends Pipeline<'text-classification'> {
  (text: string, options?: Asked & { second?: string; words?: boolean }): Promise<ClassifyResult>;
  (texts: readonly string[], options?: Asked & { second?: string | readonly string[]; words?: boolean }): Promise<ClassifyResult[]>;
}
export interface TokenClassification extends Pipeline<'token-classification'> {
  (text: string, options?: Asked): Promise<TagResult>;
  (texts: readonly string[], options?: Asked): Promise<TagResult[]>;
}
type EmbedOptions = Asked & { pooling?: 'mean' | 'cls' | 'none'; normalize?: boolean };
export interface FeatureExtraction extends Pipeline<'feature-extraction'> {
  (text: string, options?: EmbedOptions): Promise<Embedding>;
  (texts: readonly string[], options?: EmbedOptions): Promise<Embedding[]>;
}

/** A task with a model that is loaded for it, or one that is there already. */
export function pipeline(task: 'fill-mask', source: ModelSource | Model, options?: PipelineOptions): Promise<FillMask>;
export function pipeline(task: 'question-answering', source: ModelSource | Model, options?: PipelineOptions): Promise<QuestionAnswering>;
export function pipeline(task: 'text-classification', source: ModelSource | Model, options?: PipelineOptions): Promise<TextClassification>;
export function pipeline(task: 'token-classification', source: ModelSource | Model, options?: PipelineOptions): Promise<TokenClassification>;
export function pipeline(task: 'feature-extraction', source: ModelSource | Model, options?: PipelineOptions): Promise<FeatureExtraction>;

/** What this browser lacks of what the engine needs, by name; empty where it can run. */
export function missingFeatures(): string[];
/** Whether the faster kernels run here. */
export function hasRelaxedSimd(): boolean;

export interface DownloadOptions {
  size?: number;
  onProgress?: (received: number, total: number) => void;
  signal?: AbortSignal;
}
/** A file's bytes, with progress and errors that say which file and why. */
export function download(source: string | URL, options?: DownloadOptions): Promise<Uint8Array<ArrayBuffer>>;

/** Several downloads as one: onChange has the share, 0 to 1, and the bytes of all. */
export class Progress {
  constructor(onChange: (share: number, received: number, size: number) => void);
  /** What the download `name` is to call as onProgress. */
  part(name: string, size: number): (received: number, total?: number) => void;
}
