import { createHash } from 'node:crypto';

/** The components of the overall effectiveness score and their weights. */
export const OES_WEIGHTS = { wds: 0.4, precision: 0.25, dq: 0.2, te: 0.15 } as const;

export type OesComponent = keyof typeof OES_WEIGHTS;

export type OesWeights = Readonly<Record<OesComponent, number>>;

export const OES_COMPONENTS = Object.keys(OES_WEIGHTS) as readonly OesComponent[];

/** The configured components and weights of the overall effectiveness score. */
export type OesChoice = {
  readonly components: readonly OesComponent[];
  /** Custom weights, which sum to 1; default: the documented ones. */
  readonly weights?: OesWeights | undefined;
};

/** The components that count: one of weight 0 is not measured. */
export function countedIn({ components, weights = OES_WEIGHTS }: OesChoice): readonly OesComponent[] {
  return OES_COMPONENTS.filter((one) => components.includes(one) && weights[one] > 0);
}

export function isDocumented(weights: OesWeights): boolean {
  return OES_COMPONENTS.every((one) => weights[one] === OES_WEIGHTS[one]);
}

/** Recorded with every result, because other components or weights of the score give other numbers. */
export function scorerOf(matcherVersion: string, choice: OesChoice): string {
  const { components, weights = OES_WEIGHTS } = choice;
  const all = OES_COMPONENTS.every((one) => components.includes(one));
  const parts = all ? '' : `+oes.${OES_COMPONENTS.filter((one) => components.includes(one)).join('.')}`;
  const own = isDocumented(weights) ? '' : `+weights.${shortHash(OES_COMPONENTS.map((one) => weights[one]))}`;
  return `${matcherVersion}${parts}${own}`;
}

function shortHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
}

/** Lists custom weights next to the documented ones; empty without custom weights. */
export function ownWeightsNotes({ components, weights = OES_WEIGHTS }: OesChoice): readonly string[] {
  if (isDocumented(weights)) return [];
  const say = (one: OesComponent) => {
    const yours = components.includes(one) ? weights[one] : 0;
    const same = yours === OES_WEIGHTS[one];
    return `${LABELS[one]} ${yours}${same ? '' : ` (documented ${OES_WEIGHTS[one]})`}`;
  };
  return [`Your weights of overall effectiveness: ${OES_COMPONENTS.map(say).join(', ')}.`];
}

const LABELS: Readonly<Record<OesComponent, string>> = {
  wds: 'WDS',
  precision: 'precision',
  dq: 'DQ',
  te: 'TE',
};
