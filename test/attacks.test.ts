import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGoldenSet } from '../src/decomposition/ingest/golden-case.ts';
import { KINDS, type Kind } from './attacks/kinds.ts';
import { ATTACK_PAGE, attackPageOf } from './attacks/page.ts';
import { complaints, type Judged, judgeKind } from './attacks/verdicts.ts';

const { cases } = readGoldenSet('golden');
const judged: Judged[] = [];
const judgeOnce = async (kind: Kind) => {
  const one = await judgeKind(kind, cases);
  judged.push(one);
  return one;
};
const kinds = (fate: 'bad' | 'fair') => KINDS.filter((kind) => kind.fate === fate);

it('knows at least 25 kinds of bad and 15 of fair outputs', () => {
  expect(kinds('bad').length).toBeGreaterThanOrEqual(25);
  expect(kinds('fair').length).toBeGreaterThanOrEqual(15);
  expect(new Set(KINDS.map(({ name }) => name)).size).toBe(KINDS.length);
});

describe('a bad output', () => {
  it.each(kinds('bad').map((kind) => [kind.name, kind] as const))('is blocked: %s', async (_, kind) => {
    const { suite, alone } = await judgeOnce(kind);
    expect(suite.block.gate.verdict).toBe('blocked');
    expect([...alone].filter(([, { gate }]) => gate.verdict !== 'blocked').map(([id]) => id)).toEqual([]);
    // Without the guards it may pass, but never in silence.
    expect(complaints(suite.warn)).not.toEqual([]);
  });
});

describe('a fair output', () => {
  it.each(kinds('fair').map((kind) => [kind.name, kind] as const))('passes: %s', async (_, kind) => {
    const { suite, alone } = await judgeOnce(kind);
    expect([suite.warn.gate.verdict, suite.block.gate.verdict]).toEqual(['passed', 'passed']);
    expect(
      [...alone]
        .filter(([, { gate }]) => gate.verdict !== 'passed')
        .map(([id, { gate }]) => [id, gate.reasons]),
    ).toEqual([]);
  });
});

it('is what the page says (npm run docs)', () => {
  expect(readFileSync(`docs/${ATTACK_PAGE}`, 'utf8')).toBe(attackPageOf(judged));
});
