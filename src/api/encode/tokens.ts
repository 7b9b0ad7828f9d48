import type { z } from 'zod';
import type { tokenList } from '../schema/tokens.ts';

type Token = {
  readonly id: string;
  readonly name: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly isOver: boolean;
};

export function encodeTokens(tokens: readonly Token[]): z.infer<typeof tokenList> {
  return {
    format: 'assay-tokens',
    version: 1,
    tokens: tokens.map(({ id, name, scope, created_at, expires_at, isOver }) => ({
      id,
      label: name,
      scope,
      created_at,
      expires_at,
      expired: isOver,
    })),
  };
}
