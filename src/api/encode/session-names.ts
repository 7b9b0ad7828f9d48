import type { z } from 'zod';
import type { ListedSession } from '../../session/results.ts';
import type { sessionNames } from '../schema/session-names.ts';
import { encodeListed } from './session-list.ts';

export function encodeSessionNames(sessions: readonly ListedSession[]): z.infer<typeof sessionNames> {
  return {
    format: 'assay-session-names',
    version: 1,
    items: sessions.map((one) => {
      const { session_key, session_id, started_at, project, title } = encodeListed(one);
      return { session_key, session_id, started_at, project, title };
    }),
  };
}
