/** What was said in messages, as texts: an input may be one text, messages, or fields with texts in them. */
import { isRecord } from './foreign-graph.ts';

/** More than any input has that is paired with a case. */
const MOST_TEXTS = 50;

export function textsWithin(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (Array.isArray(input)) return input.slice(0, MOST_TEXTS).flatMap((one) => contentOf(one));
  if (!isRecord(input)) return [];
  if (Array.isArray(input.messages)) return textsWithin(input.messages);
  return Object.values(input)
    .slice(0, MOST_TEXTS)
    .filter((one) => typeof one === 'string');
}

function contentOf(message: unknown): string[] {
  if (typeof message === 'string') return [message];
  if (!isRecord(message)) return [];
  const { content } = message;
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []));
}

/** The text of an answer: it may be a message, or choices of them. */
export function answerText(output: unknown): unknown {
  if (!isRecord(output)) return output;
  if (typeof output.completion === 'string') return output.completion;
  if (Array.isArray(output.choices) && output.choices.length === 0) return undefined;
  const choice = Array.isArray(output.choices) ? output.choices[0] : undefined;
  const message = isRecord(choice) ? choice.message : 'role' in output ? output : undefined;
  if (message === undefined) return output;
  const texts = contentOf(message);
  return texts.length === 0 ? undefined : texts.join('\n');
}
