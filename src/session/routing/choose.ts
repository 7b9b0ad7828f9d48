/** Which model takes one task, by the shares of a policy. */
import { createHash } from 'node:crypto';
import type { RoutedArm, RoutePolicy, TypeRoute } from './policy.ts';

export type RouteChoice =
  /** `probability` belongs into a log: with it the past can be judged later without guessing. */
  | { readonly answer: 'route'; readonly model: string; readonly probability: number }
  | { readonly answer: Exclude<TypeRoute['answer'], 'route'> };

/** `uniform`: from 0 up to but without 1. */
export function chooseModel(route: TypeRoute | undefined, uniform: number): RouteChoice {
  if (route === undefined) return { answer: 'not enough data' };
  if (route.answer !== 'route') return { answer: route.answer };
  const arm = armAt(route.arms, uniform);
  return arm === undefined
    ? { answer: 'not enough data' }
    : { answer: 'route', model: arm.model, probability: arm.share };
}

function armAt(arms: readonly RoutedArm[], uniform: number): RoutedArm | undefined {
  let before = 0;
  for (const arm of arms) {
    before += arm.share;
    if (uniform < before) return arm;
  }
  // What rounding left over.
  return arms.findLast(({ share }) => share > 0);
}

/** The same task under the same policy goes to the same model, on every machine. */
export function uniformOf({ name }: Pick<RoutePolicy, 'name'>, key: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, key]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
