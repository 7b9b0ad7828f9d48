import type { z } from 'zod';
import type { tokenList } from '../schema/tokens.ts';

type Token = {
  readonly id: string;
  readonly name: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly isOver: boolean;
  readonly projects?: readonly string[];
  readonly team?: string;
};

export function encodeTokens(tokens: readonly Token[]): z.infer<typeof tokenList> {
  return {
    format: 'assay-tokens',
    version: 1,
    tokens: tokens.map(({ id, name, scope, created_at, expires_at, isOver, projects, team }) => ({
      id,
      label: name,
      scope,
      created_at,
      expires_at,
      expired: isOver,
      projects: projects === undefined && team === undefined ? null : [...(projects ?? [])],
      team: team ?? null,
    })),
  };
}
