import { z } from 'zod';
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
