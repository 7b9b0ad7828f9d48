/** What goes into the overall effectiveness, and how much of it. */
export const OES_WEIGHTS = { wds: 0.4, precision: 0.25, dq: 0.2, te: 0.15 } as const;

export type OesComponent = keyof typeof OES_WEIGHTS;

export const OES_COMPONENTS = Object.keys(OES_WEIGHTS) as readonly OesComponent[];

/** Stamped on every result: other parts of the overall effectiveness give other numbers. */
export function scorerOf(matcherVersion: string, components: readonly OesComponent[]): string {
  const all = OES_COMPONENTS.every((one) => components.includes(one));
  return all
    ? matcherVersion
    : `${matcherVersion}+oes.${OES_COMPONENTS.filter((one) => components.includes(one)).join('.')}`;
}
