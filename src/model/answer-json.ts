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
 * Servers that do not hold a model to a schema pass on its thoughts and the code fence around its JSON. Only where the
 * fence is around the whole answer: picking JSON out of prose would be a guess.
 */
function unwrapped(text: string): string {
  const answer = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  return /^```(?:json)?[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/i.exec(answer)?.[1] ?? answer;
}

export function unusableAnswer(message: string, cause?: unknown): AssayError {
  return new AssayError('MODEL_ANSWER_UNUSABLE', message, { cause });
}
