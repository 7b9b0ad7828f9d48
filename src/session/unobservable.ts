/** What a session would not show if it had happened: there, that nothing of it is seen says nothing (R51). */
import type { AgentRunFacts, SessionFacts } from './evidence.ts';
import { FORMATS } from './ingest/formats/formats.ts';

/** `steps`: its calls, and what was said to it. */
export type Unseen = 'compaction' | 'sub-agents' | 'steps';

const ASKED = ['compaction', 'sub-agents'] as const;

const BY_SOURCE: ReadonlyMap<string, ReadonlySet<Unseen>> = new Map(
  FORMATS.map(({ name, shows }) => [name, new Set(ASKED.filter((one) => !shows.includes(one)))]),
);
const NOTHING: ReadonlySet<Unseen> = new Set();
const ALL: ReadonlySet<Unseen> = new Set([...ASKED, 'steps']);

export function unseenIn({ source, endOnly }: SessionFacts, { tools }: AgentRunFacts): ReadonlySet<Unseen> {
  if (endOnly === true && tools.calls === tools.denied) return ALL;
  return BY_SOURCE.get(source) ?? NOTHING;
}
