import { createHash } from 'node:crypto';
import type { AbPlan } from './plan.ts';

export type AbArm = 'control' | 'candidate';

/** Whoever is to see the same prompt each time (a user, an account, a document), so that nobody can be read from it. */
export function hashKey(key: string): string {
  return createHash('sha256').update(`assay key\n${key}`).digest('hex').slice(0, 32);
}

/**
 * The arm of a key: always the same for the same experiment, on every machine and after every restart, and unrelated to
 * that in any other experiment. Made from the hash of the key, so that what a record says can be checked later.
 */
export function armOf({ id, share }: Pick<AbPlan, 'id' | 'share'>, keyHash: string): AbArm {
  const digest = createHash('sha256').update(`assay experiment\n${id}\n${keyHash}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48 < share ? 'candidate' : 'control';
}

export function assign(
  plan: Pick<AbPlan, 'id' | 'share' | 'control' | 'candidate'>,
  key: string,
): {
  readonly promptVersion: string;
  readonly experiment: { readonly id: string; readonly arm: AbArm; readonly keyHash: string };
} {
  const keyHash = hashKey(key);
  const arm = armOf(plan, keyHash);
  return { promptVersion: plan[arm], experiment: { id: plan.id, arm, keyHash } };
}
