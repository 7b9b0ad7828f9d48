import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  HONEST,
  judgeTrick,
  REVIEW_ATTACK_PAGE,
  reviewAttackPage,
  TRICKS,
  type Trick,
} from './attacks/reviews.ts';

async function judged(trick: Trick) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-trick-'));
  try {
    return await judgeTrick(trick, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each([
  ['a trick', TRICKS],
  ['an honest review', HONEST],
] as const)('%s', (_, kinds) => {
  it.each(kinds.map((trick) => [trick.name, trick] as const))('gets its verdict: %s', async (_, trick) => {
    const { verdict, exit, text } = await judged(trick);
    expect([verdict, exit]).toEqual([trick.verdict, trick.exit]);
    if (trick.says !== undefined) expect(text).toMatch(trick.says);
  });
});

it('is what the page says (npm run docs)', () => {
  expect(readFileSync(`docs/${REVIEW_ATTACK_PAGE}`, 'utf8')).toBe(reviewAttackPage());
});
