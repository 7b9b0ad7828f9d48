import type { ListedSession } from '../../session/session-groups.ts';
import { truncations } from '../../session/skipped-lines.ts';
import type { Ports } from '../ports.ts';
import { type AskRequest, askSessions, type ReadReport } from './ask-sessions.ts';
import { listedRow, type Wording, withWords } from './list-sessions.ts';
import type { SelectedSessions } from './selected-sessions.ts';

/** A longer list is too much to work through. */
const MOST_ATTENTION = 7;

/** The sessions that need attention, the same in every list: the most serious and most expensive first. */
export type NeedsAttention = {
  readonly listed: readonly ListedSession[];
  /** How many need attention in total. */
  readonly inAll: number;
};

export async function attentionIn(
  selected: SelectedSessions,
  titles: Wording | undefined,
  ports: Ports,
): Promise<NeedsAttention> {
  const rows = await selected.list({ order: 'needs attention', limit: MOST_ATTENTION });
  const listed = rows.map((row) => listedRow(row));
  return {
    listed: titles === undefined ? listed : await withWords(listed, titles, ports),
    inAll: (await selected.total()).attention,
  };
}

export type AttentionResult = ReadReport &
  NeedsAttention & {
    readonly sessions: number;
    /** Files that were not read to their end, and why: they may contain sessions that need attention. */
    readonly unread: readonly { readonly path: string; readonly why: string }[];
  };

export type AttentionRequest = AskRequest & { readonly titles?: Wording | undefined } & {
  /** False: unread files are not needed. */
  readonly withUnread?: boolean;
};

export async function listAttention(request: AttentionRequest, ports: Ports): Promise<AttentionResult> {
  const { titles, withUnread = true } = request;
  const found = await askSessions(request, ports, async (asked) => ({
    ...(await attentionIn(asked, titles, ports)),
    sessions: (await asked.total()).sessions,
    unread: withUnread ? (await asked.files()).flatMap(truncations) : [],
  }));
  return { ...found, unread: [...found.unreadable, ...found.unread] };
}
