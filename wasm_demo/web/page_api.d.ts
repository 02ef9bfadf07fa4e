// Types of window.minibert (API.md); those of its answers are the package's.
import type {
  AnswerResult, Attention, CardFigure, ClassifyResult, Explanation, FillResult, ModelFacts, TagResult, Task, Token, WordGuess,
  WordScore,
} from './minibert.js';

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

export interface Minibert {
  ready: Promise<void>;
  models(): Promise<ModelEntry[]>;
  load(model: string | ArrayBuffer | ArrayBufferView): Promise<ModelFacts & { id: string }>;
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
