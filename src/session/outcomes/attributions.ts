/** What tools that were there when a commit was made say about it: notes of Git AI, and trailers that name a session. */
import { type GitOptions, gitText, PLAIN_LOG } from './git.ts';
import type { Attribution } from './history.ts';
import { NOTES_REF, type Repository } from './repository.ts';

/** Shorter identities could stand in a message by chance. */
const LEAST_ID = 12;

export async function readAttributions(
  git: GitOptions,
  { tips, hasNotes }: Repository,
  since: number,
  sessionIds: ReadonlySet<string>,
): Promise<Map<string, Attribution[]>> {
  const found = new Map<string, Attribution[]>();
  const ids = [...sessionIds].filter((id) => id.length >= LEAST_ID);
  if (ids.length === 0) return found;
  const note = (sha: string, one: Attribution): void => {
    found.set(sha, [...(found.get(sha) ?? []), one]);
  };
  const from = `--since=${new Date(since).toISOString()}`;
  const known = new Set(ids);
  const log = (...args: string[]) =>
    gitText(git, ['log', '--stdin', ...PLAIN_LOG, from, ...args], tips.join('\n'));
  const trailers = await log('--format=%x01%H%x00%(trailers:only,unfold)');
  for (const [sha, text] of records(trailers)) {
    for (const id of namedIn(text, known)) note(sha, { sessionId: id, by: 'commit trailer' });
  }
  if (!hasNotes) return found;
  const notes = await log(`--notes=${NOTES_REF}`, '--format=%x01%H%x00%N');
  for (const [sha, text] of records(notes)) {
    for (const id of agentsIn(text, known)) note(sha, { sessionId: id, by: 'git-ai note' });
  }
  return found;
}

function records(text: string): [sha: string, text: string][] {
  return text
    .split('\u0001')
    .slice(1)
    .map((one) => {
      const at = one.indexOf('\0');
      return [one.slice(0, at), one.slice(at + 1)];
    });
}

/** Values of trailers, whole or as the end of an address. */
function namedIn(text: string, known: ReadonlySet<string>): string[] {
  const words = text
    .split('\n')
    .flatMap((line) => line.slice(line.indexOf(':') + 1).split(/[\s/,;=#?<>()]+/));
  return [...new Set(words)].filter((word) => known.has(word));
}

/** Below a line `---` stands JSON: for each prompt or session the agent with its own identity. */
function agentsIn(text: string, known: ReadonlySet<string>): string[] {
  const at = text.indexOf('\n---\n');
  const json = at < 0 ? text.replace(/^---\n/, '') : text.slice(at + 5);
  try {
    const { prompts, sessions } = JSON.parse(json) as Record<string, unknown>;
    const ids = [prompts, sessions].flatMap((list) => Object.values(list ?? {}).map(agentId));
    return [...new Set(ids)].flatMap((id) => (id !== undefined && known.has(id) ? [id] : []));
  } catch {
    return [];
  }
}

function agentId(record: unknown): string | undefined {
  const id = (record as { agent_id?: { id?: unknown } } | null)?.agent_id?.id;
  return typeof id === 'string' ? id : undefined;
}
