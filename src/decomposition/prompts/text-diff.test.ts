import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines, unified } from './text-diff.ts';

it('shows what was added and what was removed', () => {
  expect(diffLines('a\nb\nc\n', 'a\nx\nc\nd\n').filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'x' },
    { kind: 'added', text: 'd' },
  ]);
  expect(diffLines('a\n', 'a\n')).toEqual([{ kind: 'same', text: 'a' }]);
});

it('gives back both texts, whatever they are', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '# d')).map((lines) => `x\n${lines.join('\n')}`);
  fc.assert(
    fc.property(text, text, (from, to) => {
      const lines = diffLines(from, to);
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      const end = (one: string) => one.replace(/\n$/, '').split('\n');
      expect(without('added')).toEqual(end(from));
      expect(without('removed')).toEqual(end(to));
    }),
  );
});

it('shows only the neighbourhood of a change, as diff -u does', () => {
  const before = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const after = before.with(20, 'another').toSpliced(3, 1);
  const text = unified(diffLines(before.join('\n'), after.join('\n')), 'a', 'b');
  expect(text).not.toContain('line 10');
  const folder = mkdtempSync(join(tmpdir(), 'assay-diff-'));
  try {
    writeFileSync(join(folder, 'a'), before.join('\n'));
    writeFileSync(join(folder, 'b'), after.join('\n'));
    // Oracle: diff -u.
    const { stdout } = spawnSync('diff', ['-u', '--label', 'a', '--label', 'b', 'a', 'b'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(text).toBe(stdout.replaceAll('\\ No newline at end of file\n', ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
