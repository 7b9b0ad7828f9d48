import type { Document } from './document.ts';
import { formatAmount } from './number.ts';

export type TokenRow = {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly isOver: boolean;
  readonly projects?: readonly string[];
  readonly team?: string;
};

export function whatFor(projects?: readonly string[], team?: string): string {
  if (projects === undefined && team === undefined) return 'for all projects';
  const named = [...(projects ?? []), ...(team === undefined ? [] : [`the team ${team}`])];
  return named.length === 0 ? 'for no project' : `for ${named.join(', ')}`;
}

/** Who may ask a server, and until when. */
export function tokenDocument(tokens: readonly TokenRow[]): Document {
  return {
    title: 'Tokens',
    answer: tokens.length === 0 ? 'There are no tokens.' : `${formatAmount(tokens.length, 'token')}.`,
    blocks:
      tokens.length === 0
        ? []
        : [
            {
              kind: 'table',
              title: 'Tokens',
              columns: [
                { key: 'id', header: 'id', style: 'id' },
                { key: 'name', header: 'label', style: 'name' },
                { key: 'scope', header: 'allows', style: 'text' },
                { key: 'for', header: 'sees', style: 'text' },
                { key: 'created', header: 'made (UTC)', style: 'time' },
                { key: 'expires', header: 'good until (UTC)', style: 'text' },
              ],
              rows: tokens.map(({ id, name, scope, created_at, expires_at, isOver, projects, team }) => ({
                id,
                name,
                scope,
                for: whatFor(projects, team).replace(/^for /, ''),
                created: created_at,
                expires:
                  expires_at === null
                    ? 'it is revoked'
                    : `${expires_at.slice(0, 16).replace('T', ' ')}${isOver ? ' (over)' : ''}`,
              })),
            },
          ],
    notes: [],
    next: tokens.length === 0 ? [{ operation: 'token create' }] : [],
  };
}
