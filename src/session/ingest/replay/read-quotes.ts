/** Quotes lines of a transcript, read again on demand: shortened, secrets masked, not stored. */
import { maskText } from '../../../secrets.ts';
import type { Event } from '../../event.ts';
import type { OpenInput } from '../files/open-input.ts';
import type { Environment } from '../formats/format.ts';
import { replayEvents } from './replay-events.ts';

export type Quote = {
  readonly line: number;
  readonly who: 'person' | 'agent' | 'call' | 'result';
  readonly text: string;
};

const MAX_LOOK = 2_000;
const MAX_QUOTE = 240;

/** One quote for each line with text, in the order of lines. */
export async function readQuotes(
  path: string,
  sessionId: string,
  lines: ReadonlySet<number>,
  environment: Environment,
  most = MAX_QUOTE,
  open?: OpenInput,
): Promise<Quote[]> {
  const heard = await replayEvents<Map<string, Quote>>(
    path,
    sessionId,
    () => new Map(),
    (quotes, event) => {
      const said = lines.has(event.line) ? saidIn(event) : undefined;
      if (said === undefined) return;
      const text = short(said.text, environment, most);
      if (text !== '') quotes.set(`${event.line} ${said.who}`, { line: event.line, who: said.who, text });
    },
    open,
  );
  return [...(heard?.values() ?? [])].sort((a, b) => a.line - b.line);
}

function saidIn(event: Event): Pick<Quote, 'who' | 'text'> | undefined {
  switch (event.kind) {
    case 'user':
      return { who: 'person', text: event.text };
    case 'reply':
      return { who: 'agent', text: event.text };
    case 'call':
      return { who: 'call', text: `${event.tool} ${inputText(event.input)}` };
    case 'result':
      return { who: 'result', text: event.reason ?? event.text ?? '' };
    default:
      return undefined;
  }
}

function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  // Only the values: field names are the same in every call.
  return Object.values(input)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' ');
}

/** The beginning; of a long result also the end, which shows how it went. */
function short(text: string, environment: Environment, most: number): string {
  const looked = text.length > 2 * MAX_LOOK ? `${text.slice(0, MAX_LOOK)} … ${text.slice(-MAX_LOOK)}` : text;
  const line = maskText(looked, environment)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const half = most / 2 - 2;
  return `${characters.slice(0, half).join('')} … ${characters.slice(-half).join('')}`;
}

export type Excerpt = { readonly first?: string; readonly last?: string };

const MAX_EXCERPT = 400;

type FirstAndLast = { first?: string; last?: string };

/** The first request and the last reply, shortened for display. */
export async function excerptOf(path: string, sessionId: string): Promise<Excerpt> {
  return (await replayEvents<FirstAndLast>(path, sessionId, () => ({}), noteExcerpt)) ?? {};
}

function noteExcerpt(heard: FirstAndLast, event: Event): void {
  if (event.kind === 'user' && event.origin !== 'runtime') heard.first ??= firstWords(event.text);
  if (event.kind === 'reply' && event.text.trim() !== '') heard.last = firstWords(event.text);
}

function firstWords(text: string): string {
  const words = text
    .slice(0, MAX_EXCERPT * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > MAX_EXCERPT ? `${words.slice(0, MAX_EXCERPT)}…` : words;
}
