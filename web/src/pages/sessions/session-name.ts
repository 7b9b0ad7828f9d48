import type { ListedSession } from '../../api/shapes.ts';

/** What a person calls it: what was asked, or the beginning of its id where nothing of that is left. */
export function sessionName({ title, session_id }: Pick<ListedSession, 'title' | 'session_id'>): string {
  return title ?? `session ${session_id.slice(0, 8)}`;
}
