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
  /** 1 to 5; absent when the model cannot decide. */
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

/** The rubric. `sha256` distinguishes texts with the same name. */
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
