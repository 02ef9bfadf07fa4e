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

export interface Attention {
  tokens: Token[];
  layers: number;
  heads: number;
  /** [layers, heads, tokens, tokens]; rows attend to columns. */
  weights: Float32Array;
}

/** What the model did with a text. S tokens, E embedding_size, D d_model, F d_ff. */
export interface Explanation {
  tokens: Token[];
  layers: number;
  heads: number;
  d_model: number;
  d_ff: number;
  embedding_size: number;
  masks: {
    position: number;
    /** What the output head would guess from what enters the first layer and from what leaves each. */
    stages: { text: string; logit: number; probability: number }[][];
    /** Of all pieces that fit, in the order of their ids. */
    logits: Float32Array;
  }[];
  /** [S, E] each: their sum, normalized (and projected where E is not D), enters the first layer. */
  token: Float32Array;
  position: Float32Array;
  segment: Float32Array;
  /** [layers + 1, S, D]. */
  states: Float32Array;
  /** [layers, S, 3 D]: queries, keys, values. */
  qkv: Float32Array;
  /** [layers, S, F]: the feed-forward's units after GELU. */
  units: Float32Array;
  /** [layers, heads, S, S]. */
  attention: Float32Array;
}

export interface ModelEntry {
  id: string;
  name: string;
  state: 'available' | 'loading' | 'ready' | 'failed';
  progress: number;
  error?: { ko: string; en: string };
  facts: [string, string][];
}

export interface ModelFacts {
  id: string;
  weights: 'int8' | 'float32';
  kernel: string;
  parameters: number;
  file_bytes: number;
  source_run: string;
  source_sha256: string;
  metrics: Record<string, number>;
  vocab_size: number;
  d_model: number;
  n_heads: number;
  d_ff: number;
  n_layers: number;
  max_positions: number;
  [key: string]: unknown;
}

export type ErrorCode = 'empty-text' | 'no-mask' | 'text-too-long' | 'bad-argument' | 'unknown-model' | 'bad-model' |
  'no-memory' | 'network' | 'http' | 'cut-off' | 'engine';

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
