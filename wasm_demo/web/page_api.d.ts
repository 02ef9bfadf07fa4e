// Types of window.minibert (API.md); those of its answers are the package's.
import type {
  AnswerResult, Attention, CardFigure, Changes, Checkpoint, ClassifyResult, Explanation, FillResult, InterventionResult, ModelFacts, TagResult,
  Task, Token, WordGuess, WordScore,
} from './minibert.js';

export interface ModelEntry {
  id: string;
  name: string;
  /** Its name on the page; a visitor's own file has none. */
  shown?: { ko: string; en: string };
  task: Task;
  state: 'available' | 'loading' | 'ready' | 'failed';
  progress: number;
  /** Of its file. */
  bytes: number;
  error?: { ko: string; en: string };
  facts: [string, string][];
  /** What it is made of, once it is loaded. */
  shape?: { ko: string; en: string };
  /** A BERT as courses have it. */
  teaching?: boolean;
  /** Takes the first one's place on the page, once it is there. */
  large?: boolean;
  /** Several states of one training (.mbqs), which checkpoints() asks. */
  series?: boolean;
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
  intervene(text: string, options?: Changes & { top?: number; model?: string }): Promise<InterventionResult>;
  checkpoints(text: string, options?: { top?: number; model?: string }): Promise<Checkpoint[]>;
  memory(): Promise<{ bytes: number }>;
}

declare global {
  interface Window {
    minibert: Minibert;
  }
}
