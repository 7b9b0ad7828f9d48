import { AssayError } from '../errors.ts';

/** The JSON of an answer as it is: its wrapping may come off, but nothing in it is repaired. */
export function answerJson(text: string, finishReason: string, from: string): unknown {
  if (finishReason === 'length') throw unusableAnswer(`${from}: the answer was cut off at the output limit`);
  if (finishReason === 'content-filter') {
    throw unusableAnswer(`${from}: the model refused to answer; a refusal is not asked for again`);
  }
  if (finishReason === 'interrupted' || finishReason === 'error') {
    throw unusableAnswer(`${from}: the answer broke off`);
  }
  if (text.trim() === '') throw unusableAnswer(`${from}: the answer is empty`);
  try {
    return JSON.parse(unwrapped(text));
  } catch (cause) {
    throw unusableAnswer(
      `${from}: the answer is not JSON; it begins ${JSON.stringify(text.slice(0, 60))}`,
      cause,
    );
  }
}

/**
 * Servers that do not hold a model to a schema pass on its thoughts, the code fence around its JSON and a sentence before
 * or after it. Of several fences none is the answer more than another.
 */
function unwrapped(text: string): string {
  const answer = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const lines = answer.split('\n');
  const fences = lines.flatMap((line, i) => (/^\s*```(?:json)?\s*$/i.test(line) ? [i] : []));
  const [opening = 0, closing] = fences;
  return fences.length === 2 ? lines.slice(opening + 1, closing).join('\n') : answer;
}

export function unusableAnswer(message: string, cause?: unknown): AssayError {
  return new AssayError('MODEL_ANSWER_UNUSABLE', message, { cause });
}
