/** How rare words are in ordinary English prose: the logarithm of one over the share of texts that hold them. */
export type Commonness = {
  /** By stem; a word that the table does not hold is rarer than all that it holds. */
  readonly rarity: (stem: string) => number;
  readonly known: (stem: string) => boolean;
};

export function commonnessOf(table: Readonly<Record<string, number>>): Commonness {
  const entries = new Map(Object.entries(table));
  const rarest = Math.max(0, ...entries.values()) + 1;
  return {
    rarity: (stem) => entries.get(stem) ?? rarest,
    known: (stem) => entries.has(stem),
  };
}
