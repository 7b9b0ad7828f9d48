import type { z } from 'zod';
import type { ListedSession } from '../../session/results.ts';
import type { sessionPage } from '../schema/session-page.ts';
import { encodeListed } from './session-list.ts';

type Page = { readonly sessions: readonly ListedSession[]; readonly inAll?: number };

export function encodeSessionPage(
  { sessions, inAll }: Page,
  next: string | null,
): z.infer<typeof sessionPage> {
  return {
    format: 'assay-session-page',
    version: 1,
    items: sessions.map(encodeListed),
    next,
    total: inAll ?? null,
  };
}
