import type { Concept } from './shapes.ts';

export type Kind = 'found' | 'invented' | 'canary';

export type Piece = {
  readonly from: number;
  readonly text: string;
  /** The concepts whose verified quotes cover it; none for plain text. */
  readonly concepts: readonly { readonly label: string; readonly kind: Kind }[];
};

export function kindOf({ canary, expected }: Concept): Kind {
  return canary !== undefined ? 'canary' : expected !== undefined ? 'found' : 'invented';
}

/** A text cut wherever a verified quote begins or ends; quotes may overlap. */
export function markedText(text: string, concepts: readonly Concept[]): readonly Piece[] {
  const quoted = concepts.flatMap((concept) => {
    const { state, from, to } = concept.quote;
    const isPlace = from !== undefined && to !== undefined && from >= 0 && from < to && to <= text.length;
    return state === 'verified' && isPlace ? [{ label: concept.label, kind: kindOf(concept), from, to }] : [];
  });
  const cuts = [...new Set([0, text.length, ...quoted.flatMap(({ from, to }) => [from, to])])].toSorted(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? text.length;
    const covering = quoted.filter((quote) => quote.from <= from && quote.to >= to);
    return {
      from,
      text: text.slice(from, to),
      concepts: covering.map(({ label, kind }) => ({ label, kind })),
    };
  });
}
