import type { Route } from '../route.ts';
import { type AccessRules, secretIn } from '../security/access.ts';
import type { AuditedRequest } from './audit-log.ts';

/** Each has an entry of its own, before it is acknowledged. */
export function isAudited({ scope, method, audit }: Route): boolean {
  return scope === 'write' && method !== 'GET' && audit?.isMany !== true;
}

type Answered = {
  readonly route: Route | undefined;
  readonly status: number;
  readonly method: string;
  readonly hasToken: boolean;
};

/** What comes all the time, what failed or was refused, and the reading of what was said. */
export function isCounted({ route, status, method, hasToken }: Answered): boolean {
  // A page that is opened without a token asks for one.
  if (status === 401) return hasToken || method !== 'GET';
  if (status === 403) return true;
  return route?.scope === 'admin' || (route?.scope === 'write' && method !== 'GET');
}

/** Whose token was refused, as far as it can be told: that of a token that is over is known, of others what they say. */
export function claimOf(
  authorization: string | undefined,
  { findToken }: AccessRules,
): Pick<AuditedRequest, 'who' | 'tokenId' | 'what' | 'target'> {
  const secret = secretIn(authorization);
  const found = secret === undefined ? undefined : findToken(secret);
  if (found?.isOver === true) return { who: found.who ?? '', tokenId: found.tokenId, what: 'token expired' };
  return { who: 'nobody', what: 'token refused', target: /^assay_([0-9a-f]{8})_/.exec(secret ?? '')?.[1] };
}

export function targetOf(
  { audit }: Route,
  params: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  return audit?.target?.(body as never) ?? Object.values(params)[0];
}
