import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
const claims = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Claim'))
  .map((line) => line.split('|').slice(1, -1));

it('makes no claim about what is trusted without a test that is there', () => {
  expect(claims.length).toBeGreaterThan(20);
  for (const [claim = '', tests = ''] of claims) {
    const named = [...tests.matchAll(/\[`([^`]+)`\]\(\.\.\/([^)]+)\)/g)];
    expect([claim, named.length]).not.toEqual([claim, 0]);
    for (const [, shown, linked = ''] of named)
      expect([linked, existsSync(linked), shown]).toEqual([linked, true, linked]);
  }
});

it('names tests that test something: each has at least one', () => {
  const paths = [...page.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)/g)].map(([, path = '']) => path);
  for (const path of paths)
    expect([path, /\b(?:it|test)\b[.(<]/.test(readFileSync(path, 'utf8'))]).toEqual([path, true]);
});
