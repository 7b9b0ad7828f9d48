/** The answers of evaluators in each step, as stored in files. "Cannot tell" is an answer in every step. */
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { LABELS } from '../review.ts';

const TEXT = z.string().trim().min(1, 'must not be empty').max(20_000);
const ID = z.string().min(1).max(500);
const CONFIDENCES = ['HIGH', 'MEDIUM', 'LOW'] as const;

/** Step 1: the judgement of a finding, before anybody has seen the ground truth. */
const ASSESSMENT = z.discriminatedUnion('judgement', [
  z.strictObject({
    finding: ID,
    judgement: z.literal('ERROR'),
    error: TEXT,
    evidence: TEXT,
    confidence: z.enum(CONFIDENCES),
  }),
  z.strictObject({
    finding: ID,
    judgement: z.literal('NO_ERROR'),
    evidence: TEXT,
    confidence: z.enum(CONFIDENCES),
  }),
  z.strictObject({ finding: ID, judgement: z.literal('CANNOT_TELL'), evidence: TEXT.optional() }),
]);

/** Step 2: will the review have caught this error? */
const PREDICTION = z.discriminatedUnion('prediction', [
  z.strictObject({ error: ID, prediction: z.enum(['YES', 'MAYBE', 'NO']), why: TEXT }),
  z.strictObject({ error: ID, prediction: z.literal('CANNOT_TELL'), why: TEXT.optional() }),
]);

/** Step 3: which error a finding matches, and why. `UNRESOLVED` is "cannot tell". */
const MATCHING = z
  .strictObject({ finding: ID, match: z.enum(LABELS), error: ID.optional(), reason: TEXT })
  .refine(({ match, error }) => !['Y', 'P'].includes(match) || error !== undefined, {
    path: ['error'],
    message: 'Y and P name the error that the finding matches',
  })
  .refine(({ match, error }) => ['Y', 'P', 'DUPLICATE'].includes(match) || error === undefined, {
    path: ['error'],
    message: 'only Y, P and DUPLICATE name an error',
  });

export type Assessment = Readonly<z.infer<typeof ASSESSMENT>>;
export type Prediction = Readonly<z.infer<typeof PREDICTION>>;
export type Matching = Readonly<z.infer<typeof MATCHING>>;

/** One row per step: what its answers are called in a file, their shape, and what they are about. */
export const ANSWERS = {
  assess: { key: 'assessments', schema: ASSESSMENT, about: 'finding' },
  predict: { key: 'predictions', schema: PREDICTION, about: 'error' },
  match: { key: 'matches', schema: MATCHING, about: 'finding' },
} as const;

export type AnswerStep = keyof typeof ANSWERS;
export type Answer = { assess: Assessment; predict: Prediction; match: Matching };

export function readAnswers<Step extends AnswerStep>(step: Step, path: string): Answer[Step][] {
  const { key } = ANSWERS[step];
  const content = readJson(path);
  const named = typeof content === 'object' && content !== null && Object.hasOwn(content, key);
  return parseAnswers(step, named ? (content as Record<string, unknown>)[key] : content, path);
}

export function parseAnswers<Step extends AnswerStep>(
  step: Step,
  content: unknown,
  where: string,
): Answer[Step][] {
  const { key, schema, about } = ANSWERS[step];
  const { data, error } = z.array(schema).max(1_000_000).safeParse(content);
  if (error !== undefined) throw new AssayError('INPUT_INVALID', `${where}: ${sayFirst(key, error)}`);
  const answers = data as Answer[Step][];
  const seen = new Set<string>();
  for (const answer of answers) {
    const id = subjectOf(answer);
    if (seen.has(id)) throw new AssayError('INPUT_INVALID', `${where}: ${about} "${id}" is answered twice`);
    seen.add(id);
  }
  return answers;
}

/** The finding or error that an answer is about. */
export function subjectOf(answer: Answer[AnswerStep]): string {
  return 'finding' in answer ? answer.finding : answer.error;
}

function sayFirst(key: string, { issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined) return `${key} are not as they should be`;
  const place = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return place.length === 0
    ? `expected a list of ${key}, or an object with "${key}": ${issue.message}`
    : `${key}${place.join('')}: ${issue.message}`;
}
