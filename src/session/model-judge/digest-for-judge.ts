/**
 * The digest that a judge model sees: the request, later user messages, the final answer and counted facts, in about
 * 2,500 tokens at most. It has neither score nor model nor cost, so that the rating is blind to them. Secrets are
 * masked before anything is cut.
 */
import { maskText } from '../../secrets.ts';
import type { Event } from '../event.ts';
import type { AgentRunFacts, SessionFacts } from '../evidence.ts';
import { replayEvents } from '../ingest/replay/replay-events.ts';

/** The limit of the whole digest. */
export const DIGEST_TOKENS = 2500;
/** Of its parts; headings and facts take the rest. */
const [REQUEST_TOKENS, LATER_TOKENS, ANSWER_TOKENS] = [800, 700, 750];
const MOST_LATER = 12;
/** Of any text this much is looked at, from its beginning and from its end. */
const LOOKED_AT = 8000;

type Heard = { request?: string; later: string[]; left: number; answer?: string };
type Secrets = Readonly<Record<string, string | undefined>>;

/** Undefined when the session is not in the file any more. */
export async function digestForJudge(
  path: string,
  facts: SessionFacts,
  env: Secrets,
): Promise<string | undefined> {
  const heard = await replayEvents<Heard>(path, facts.sessionId, () => ({ later: [], left: 0 }), hear);
  return heard && wordDigest(heard, facts, env);
}

function hear(heard: Heard, event: Event): void {
  if (event.kind === 'reply' && event.text.trim() !== '') heard.answer = ends(event.text);
  if (event.kind !== 'user' || event.origin === 'runtime') return;
  if (heard.request === undefined) heard.request = ends(event.text);
  else {
    heard.later.push(ends(event.text));
    // The first and the last messages say most about how it went.
    if (heard.later.length > MOST_LATER) {
      heard.later.splice(MOST_LATER / 2, 1);
      heard.left += 1;
    }
  }
}

function wordDigest({ request, later, left, answer }: Heard, facts: SessionFacts, env: Secrets): string {
  const clean = (text: string, tokens: number) => cut(quoted(maskText(text, env)), tokens);
  const each = Math.floor(LATER_TOKENS / Math.max(1, later.length));
  const said = later.map((text, i) => `${i + 1}. ${clean(text, each)}`);
  return [
    '## First request',
    request === undefined ? '(not recorded)' : clean(request, REQUEST_TOKENS),
    '## What the person said after it',
    ...(said.length === 0 ? ['(nothing)'] : said),
    ...(left > 0 ? [`(${left} messages in the middle are left out)`] : []),
    '## Final answer of the agent',
    answer === undefined ? '(none)' : clean(answer, ANSWER_TOKENS),
    '## Counted',
    ...factsOf(facts.runs),
  ].join('\n');
}

/** A heading in a user's text must not look like one of the digest's own. */
function quoted(text: string): string {
  return text.replace(/^[ \t]{0,3}(?=#)/gm, '> ');
}

function factsOf(runs: readonly AgentRunFacts[]): string[] {
  const sum = (of: (run: AgentRunFacts) => number) => runs.reduce((total, run) => total + of(run), 0);
  const made = [...new Set(runs.flatMap((run) => run.artifacts.filter((one) => one.made > 0)))];
  const kinds = [...new Set(made.map((one) => one.artifact))];
  return [
    `messages of the person: ${sum((run) => run.turns)}; interrupts: ${sum((run) => run.interrupts)}`,
    `tool calls: ${sum((run) => run.tools.calls)}, failed: ${sum((run) => run.tools.failed)}, refused by the person: ${sum((run) => run.tools.denied)}`,
    `left behind: ${kinds.length === 0 ? 'nothing that was seen' : kinds.join(', ')}`,
    `end: ${runs.at(-1)?.end ?? 'unknown'}`,
  ];
}

/** Beginning and end of a long text, cut between words: half a secret at the edge would not be recognised. */
function ends(text: string): string {
  if (text.length <= 2 * LOOKED_AT) return text;
  const [head, tail] = [text.slice(0, LOOKED_AT), text.slice(-LOOKED_AT)];
  return `${head.replace(/(?<!\S)\S+$/, '')}\n[…]\n${tail.replace(/^\S*/, '')}`;
}

/** As much of the beginning and the end as fits. */
function cut(text: string, tokens: number): string {
  const clean = text.trim();
  if (tokensOf(clean) <= tokens) return clean;
  const share = (tokens - 3) / tokensOf(clean);
  const [head, tail] = [Math.floor(clean.length * share * 0.6), Math.floor(clean.length * share * 0.4)];
  return `${clean.slice(0, head)} […] ${clean.slice(clean.length - tail)}`;
}

/** On the high side: three characters of ASCII make a token, any other character is one. */
export function tokensOf(text: string): number {
  const ascii = text.replace(/[^\0-\x7f]/g, '').length;
  return Math.ceil(ascii / 3) + (text.length - ascii);
}
