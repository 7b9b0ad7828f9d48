import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');

/** Rows of the tables that are headed by a claim and its test. */
const claims = [...page.matchAll(/^\| Claim \| Test \|\n\|---\|---\|\n((?:\| .*\n)+)/gm)].flatMap(
  ([, rows = '']) =>
    rows
      .trim()
      .split('\n')
      .map((row) => row.split('|').slice(1, -1)),
);

it('makes no claim about what is trusted without a test that is there', () => {
  expect(claims.length).toBeGreaterThan(60);
  for (const [claim = '', tests = ''] of claims) {
    const named = [...tests.matchAll(/\[`([^`]+)`\]\(\.\.\/([^)]+)\)/g)];
    expect([claim, named.length]).not.toEqual([claim, 0]);
    for (const [, shown, linked = ''] of named)
      expect([linked, existsSync(linked), shown]).toEqual([linked, true, linked]);
  }
});

it('names tests that test something: each has at least one', () => {
  const paths = [...page.matchAll(/\]\(\.\.\/((?:src|test)\/[^)]+)\)/g)].map(([, path = '']) => path);
  for (const path of paths)
    expect([path, /\b(?:it|test)\b[.(<]/.test(readFileSync(path, 'utf8'))]).toEqual([path, true]);
});

it('names titles as they stand in the file before them', () => {
  const titled = [...page.matchAll(/\]\(\.\.\/([^)]+)\): ((?:\*[^*\n]+\*(?:, )?)+)/g)];
  const titles = titled.flatMap(([, path = '', list = '']) =>
    [...list.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => ({ path, title })),
  );
  expect(titles.length).toBeGreaterThan(20);
  const gone = titles.filter(({ path, title }) => !readFileSync(path, 'utf8').includes(`'${title}'`));
  expect(gone).toEqual([]);
});

it.each(['docs/live.md', 'docs/workflow-blind.md'])(
  '%s promises what a test that is there proves',
  (path) => {
    const links = [...readFileSync(path, 'utf8').matchAll(/\[test\]\(\.\.\/([^)]+)\)/g)].map(
      ([, to = '']) => to,
    );
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((to) => !to.endsWith('.test.ts') || !existsSync(to))).toEqual([]);
  },
);
