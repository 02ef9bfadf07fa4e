// Types of window.minibert (API.md).

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
  /** Of the text, and how many of them were read. */
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
  /** Of the text, and how many of them were read: what is beyond has no names. */
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
  /** [layers + 1, S, D]. */
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

export type Task = 'masks' | 'answers' | 'labels' | 'names';

export interface ModelEntry {
  id: string;
  name: string;
  task: Task;
  state: 'available' | 'loading' | 'ready' | 'failed';
  progress: number;
  /** Of its file. */
  bytes: number;
  error?: { ko: string; en: string };
  facts: [string, string][];
  /** How good it is; empty until it is loaded. */
  card: CardFigure[];
}

/** A figure of a model's run on the data of a split. */
export interface CardFigure {
  name: string;
  heading: string;
  split: string;
  decimals: number;
  value: number;
}

export interface ModelFacts {
  id: string;
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
  /** Of a model that answers questions. */
  answers?: { max_length: number; max_question: number; stride: number; overlap: boolean; max_answer: number };
  /** Of a model that labels texts. */
  classifies?: { max_length: number; pooling: 'cls' | 'mean'; several: boolean; labels: string[] };
  /** Of a model that marks names. */
  tags?: { max_length: number; labels: string[] };
  [key: string]: unknown;
}

export type ErrorCode = 'empty-text' | 'no-mask' | 'text-too-long' | 'empty-question' |
  'question-too-long' | 'wrong-model' | 'bad-argument' | 'unknown-model' | 'bad-model' |
  'no-memory' | 'network' | 'stopped' | 'http' | 'cut-off' | 'engine';

export interface MinibertError extends Error {
  name: 'MinibertError';
  code: ErrorCode;
  values: Record<string, string | number>;
  texts: { ko: string; en: string };
}

export interface Minibert {
  ready: Promise<void>;
  models(): Promise<ModelEntry[]>;
  load(model: string | ArrayBuffer | ArrayBufferView): Promise<ModelFacts>;
  unload(model: string): Promise<void>;
  fill(text: string, options?: { top?: number; model?: string }): Promise<FillResult>;
  answer(question: string, text: string, options?: { top?: number; model?: string }): Promise<AnswerResult>;
  classify(text: string, options?: { second?: string; words?: boolean; model?: string }): Promise<ClassifyResult>;
  tag(text: string, options?: { model?: string }): Promise<TagResult>;
  words(text: string, options?: { mask?: number; top?: number; model?: string }): Promise<WordGuess[]>;
  score(text: string, word: string, options?: { mask?: number; model?: string }): Promise<WordScore>;
  tokenize(text: string, options?: { model?: string }): Promise<Token[]>;
  attention(text: string, options?: { model?: string }): Promise<Attention>;
  explain(text: string, options?: { top?: number; model?: string }): Promise<Explanation>;
  memory(): Promise<{ bytes: number }>;
}

declare global {
  interface Window {
    minibert: Minibert;
  }
}
