import type { RunEvidence } from './evidence.ts';

/** Of the categories that have an expected error: how many there are, and how many of them have a detected one. */
export function detectedCategories({ errors }: RunEvidence): {
  readonly detected: number;
  readonly present: number;
} {
  return {
    detected: new Set(errors.filter(({ credit }) => credit > 0).map(({ category }) => category)).size,
    present: new Set(errors.map(({ category }) => category)).size,
  };
}
