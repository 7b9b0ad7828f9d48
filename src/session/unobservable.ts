/** What a source cannot show. If it never shows sub-agents, their absence is not evidence. */
import type { AgentRunFacts, SessionFacts } from './evidence.ts';
import { FORMATS } from './ingest/formats/formats.ts';

/** `steps`: its calls, and user messages. */
export type Unobservable = 'compaction' | 'sub-agents' | 'steps';

const ASKED = ['compaction', 'sub-agents'] as const;

const BY_SOURCE: ReadonlyMap<string, ReadonlySet<Unobservable>> = new Map(
  FORMATS.map(({ name, shows }) => [name, new Set(ASKED.filter((one) => !shows.includes(one)))]),
);
const NOTHING: ReadonlySet<Unobservable> = new Set();
const ALL: ReadonlySet<Unobservable> = new Set([...ASKED, 'steps']);

export function unobservableIn(
  { source, endOnly }: SessionFacts,
  { tools }: AgentRunFacts,
): ReadonlySet<Unobservable> {
  if (endOnly === true && tools.calls === tools.denied) return ALL;
  return BY_SOURCE.get(source) ?? NOTHING;
}

export const NO_TEXT = 'the source records no text';

/**
 * False when the agent replied but no text was recorded: the source omits it, or output tokens exceed the visible words
 * and calls. Then the reply is unknown, not empty.
 */
export function isTextRecorded(run: AgentRunFacts): boolean {
  if (run.replies === 0 || run.outputChars > 0 || run.finalReply !== 'empty') return true;
  if (run.repliesWithoutText > 0) return false;
  return run.tools.calls > 0 || run.models.every((one) => one.usage.output === 0);
}
