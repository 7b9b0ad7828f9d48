import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';
import { answerJson, unusableAnswer } from '../../model/answer-json.ts';

const VERDICTS = ['1', '2', '3', '4', '5', 'cannot tell'] as const;

/** Words, because not every provider holds a model to a range of numbers. */
const schema = z.object({
  verdict: z.enum(VERDICTS).describe('1 bad to 5 excellent, or cannot tell'),
  reason: z.string().describe('One sentence, at most 30 words'),
});

export const JUDGE_FORM = { name: 'session_rating', schema };

export type JudgeAnswer = {
  /** 1 to 5; absent when the model says that it cannot tell. */
  readonly rating?: number;
  readonly reason: string;
};

const MAX_REASON = 300;

export function readJudgeAnswer(text: string, finishReason: string, from: string): JudgeAnswer {
  const read = schema.safeParse(answerJson(text, finishReason, from));
  if (!read.success) throw unusableAnswer(`${from}: the answer is not a rating with a reason`, read.error);
  const { verdict, reason } = read.data;
  const words = reason.replace(/\s+/g, ' ').trim();
  const short = words.length > MAX_REASON ? `${words.slice(0, MAX_REASON)}…` : words;
  return { ...(verdict !== 'cannot tell' && { rating: Number(verdict) }), reason: short };
}

// What a named model said of a session. It stands beside Q and is never part of it.

export type ModelOpinion = {
  /** 1–5. */
  readonly rating: number;
  /** The model, and the name and hash of what it was told to judge by. */
  readonly author: string;
};

/** The name that ratings of a model are kept under. */
export function modelAuthor(model: string, { name, sha256 }: Pick<Rubric, 'name' | 'sha256'>): string {
  return `${model} ${name} ${sha256.slice(0, 12)}`;
}

const MODEL_AUTHOR = /^[^\s/]+\/\S+ .+ [0-9a-f]{12}$/;

/** People rate sessions as well, under names of their own. */
export function isModelAuthor(author: string): boolean {
  return MODEL_AUTHOR.test(author);
}

/** What a model is told to judge by. `sha256` tells two texts under one name apart. */
export type Rubric = { readonly name: string; readonly text: string; readonly sha256: string };

const SHIPPED = fileURLToPath(new URL('../../../rubrics/judge-session-v1.0.md', import.meta.url));
const MAX_BYTES = 64 * 1024;

/** The one that comes with the package unless a file is named. */
export function readRubric(path: string = SHIPPED): Rubric {
  const text = readText(path, MAX_BYTES);
  if (text.trim() === '') throw new AssayError('INPUT_INVALID', `${path} is empty`);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { name: basename(path).replace(/\.[^.]*$/, ''), text, sha256 };
}
