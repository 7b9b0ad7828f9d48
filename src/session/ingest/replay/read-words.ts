/** What was asked in sessions, and what was said at lines of them, read from their transcripts again when a person wants to see it. Nothing of it is stored. */
import { maskText } from '../../../secrets.ts';
import type { Event } from '../../event.ts';
import { claimsIn, failureIn } from '../../fold/last-message.ts';
import { riskyPart } from '../../fold/risks.ts';
import type { Quoted } from '../../receipts.ts';
import type { OpenInput } from '../files/open-input.ts';
import type { Environment } from '../formats/format.ts';
import { readFile } from '../reading/read-file.ts';
import { titleOf } from './title.ts';

/** A line of the file, and which of its words are wanted. */
export type WantedQuote = { readonly line: number; readonly quote: Quoted };

type AskedSession = { readonly sessionId: string; readonly quotes?: readonly WantedQuote[] };

type Words = { readonly title?: string; readonly quotes: ReadonlyMap<string, string> };

type Heard = {
  title?: string | undefined;
  /** A command of the program alone (`/review`): a title only where nothing else was asked. */
  command?: string | undefined;
  readonly quotes: Map<string, string>;
  /** The newest calls, to be quoted where their results show something. */
  readonly calls: Map<string, { readonly tool: string; readonly input: unknown }>;
};

const MAX_CALLS = 64;

export const quoteKey = ({ line, quote }: WantedQuote): string => `${line} ${quote}`;

/**
 * Session id → its words, for sessions of one file. A file of lines is read only until all of them are known. A file that is
 * gone or cannot be read has none.
 */
export async function readWords(
  path: string,
  asked: readonly AskedSession[],
  environment: Environment,
  open?: OpenInput,
): Promise<ReadonlyMap<string, Words>> {
  const names = new Map<string, Heard>();
  const all = new Set<Heard>();
  const wanted = asked.flatMap(({ quotes = [] }) => quotes);
  const found = new Set<string>();
  const isKnown = (id: string) => names.get(id)?.title !== undefined;
  // A file with one session may not name it, or only at its end.
  const hasNoIds = () =>
    asked.length === 1 && names.size === 0 && [...all].every(({ title }) => title !== undefined);
  const enough = () =>
    found.size === wanted.length && (asked.every(({ sessionId }) => isKnown(sessionId)) || hasNoIds());
  const listen = () => {
    const bySession = new Map<string, Heard>();
    return (event: Event, session = '') => {
      const heard = bySession.get(session) ?? { quotes: new Map(), calls: new Map() };
      bySession.set(session, heard);
      all.add(heard);
      if (session !== '' && !isKnown(session)) names.set(session, heard);
      if (event.kind === 'session' && event.sessionId !== undefined && !isKnown(event.sessionId))
        names.set(event.sessionId, heard);
      if (event.kind === 'user' && event.origin !== 'runtime') take(heard, titleOf(event.text, environment));
      if (wanted.length === 0) return;
      if (event.kind === 'call') noteCall(heard, event.callId, event);
      for (const one of wanted) {
        const key = quoteKey(one);
        // A line may hold a whole conversation: its last message is the one that was meant.
        if (event.line < one.line || (event.line > one.line && heard.quotes.has(key))) continue;
        const words = wordsFor(one, event, heard, environment);
        if (words === undefined) continue;
        heard.quotes.set(key, words);
        found.add(key);
      }
    };
  };
  try {
    await readFile(path, { listen, enough, open });
  } catch {
    return new Map();
  }
  const [only, ...others] = all;
  return new Map(
    asked.flatMap(({ sessionId }) => {
      const heard = names.get(sessionId) ?? (asked.length === 1 && others.length === 0 ? only : undefined);
      if (heard === undefined) return [];
      const title = heard.title ?? heard.command;
      return [[sessionId, { ...(title !== undefined && { title }), quotes: heard.quotes }]];
    }),
  );
}

function take(heard: Heard, title: string | undefined): void {
  if (title !== undefined && (/^\/\S+$/.test(title) || !/\p{L}{2}/u.test(title))) heard.command ??= title;
  else heard.title ??= title;
}

function noteCall({ calls }: Heard, id: string, { tool, input }: { tool: string; input: unknown }): void {
  calls.set(id, { tool, input });
  const [oldest] = calls.keys();
  if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
}

/** What an event says that is wanted of its line. Who stopped the agent says why in the next message. */
function wordsFor(
  { line, quote }: WantedQuote,
  event: Event,
  { calls }: Heard,
  environment: Environment,
): string | undefined {
  const shown = (text: string | undefined) => (text === undefined ? undefined : short(text, environment));
  if (quote === 'user') {
    if (event.kind === 'user' && event.origin !== 'runtime') return titleOf(event.text, environment);
    return event.kind === 'result' && event.line === line ? shown(event.reason) : undefined;
  }
  if (event.line !== line) return undefined;
  switch (event.kind) {
    case 'reply':
      return shown(sentenceIn(event.text, quote));
    case 'call':
      return quote === 'call' ? shown(callWords(event)) : undefined;
    case 'result': {
      const call = calls.get(event.callId);
      if (quote === 'call') return shown(event.reason) ?? (call && shown(callWords(call)));
      return shown(tellingLine(event.text ?? '', quote));
    }
    case 'person-command':
      return shown(tellingLine(event.text ?? '', quote));
    default:
      return undefined;
  }
}

function sentenceIn(text: string, quote: Quoted): string | undefined {
  if (quote === 'failure') return failureIn(text);
  if (quote === 'reply')
    return text
      .slice(0, MAX_LOOK)
      .split('\n')
      .find((line) => /[\p{L}\p{N}]/u.test(line));
  return claimsIn(text).find(({ about }) => about === quote)?.sentence;
}

/** The part of a command that is worth quoting, or what a tool was used on. */
function callWords({ tool, input }: { readonly tool: string; readonly input: unknown }): string {
  if (typeof input === 'string') return riskyPart(input.slice(0, MAX_LOOK));
  if (typeof input !== 'object' || input === null) return tool;
  const fields = input as Readonly<Record<string, unknown>>;
  const command = [fields.command, fields.cmd, fields.script].flat().filter((one) => typeof one === 'string');
  if (command.length > 0) return riskyPart(command.join(' ').slice(0, MAX_LOOK));
  const place = [fields.file_path, fields.filePath, fields.path, fields.url, fields.query].find(
    (one) => typeof one === 'string',
  );
  return typeof place === 'string' ? `${tool} ${place.split(/[/\\]/).slice(-2).join('/')}` : tool;
}

const MAX_LOOK = 4_000;
const MAX_OUTPUT = 20_000;
const MAX_LINE = 400;
const FAILED = [
  /\b[1-9]\d* (?:tests? |specs? |checks? |suites? )?(?:failed|failing|failures?|errors?|problems?)\b/i,
  /^\W{0,8}(?:FAIL|not ok|error\b|E {2}|\w*(?:Error|Exception)\b)|: (?:error|fatal)\b/i,
  /error|fail|cannot|can't|not found|denied|timed out/i,
  /./,
] as const;
const PASSED = [
  /\b[1-9]\d* (?:tests? |specs? |checks? )?(?:passed|passing)\b|\b0 (?:errors?|failures?|failed|issues|problems)\b/i,
  /^ok\b|\bpass(?:ed|es)?\b|\bOK\b|success/i,
] as const;

/** The line of an output that tells how it went wrong, or that it went well. */
function tellingLine(output: string, quote: Quoted): string | undefined {
  const patterns = quote === 'output' ? FAILED : quote === 'passed' ? PASSED : [];
  const lines = output
    .slice(-MAX_OUTPUT)
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  for (const tells of patterns) {
    const line = lines.findLast((one) => tells.test(one));
    if (line !== undefined) return line;
  }
  return undefined;
}

const MAX_QUOTE = 120;

function short(text: string, environment: Environment): string | undefined {
  const line = maskText(text.slice(0, MAX_LOOK), environment)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what drives a terminal is taken out.
    .replace(/\u001b\[[0-9;]{0,20}[A-Za-z]/g, '')
    .replace(/\*\*|^[\s#>*•-]+/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  if (characters.length === 0) return undefined;
  return characters.length <= MAX_QUOTE ? line : `${characters.slice(0, MAX_QUOTE - 1).join('')}…`;
}
