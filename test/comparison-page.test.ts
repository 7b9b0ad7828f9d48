/** The comparison with others says what was printed, and nothing else. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CCUSAGE } from '../bench/ccusage.ts';
import { PROMPTFOO } from '../bench/promptfoo.ts';

const page = readFileSync('docs/comparison.md', 'utf8');
const printed =
  /^## comparison\n[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(readFileSync('bench/README.md', 'utf8'))?.[0] ?? '';
const shown = [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.trimEnd().split('\n'),
);

describe('docs/comparison.md', () => {
  it('shows only lines that bench/comparison.ts printed', () => {
    expect(shown.length).toBeGreaterThan(20);
    const lines = new Set(printed.split('\n').map((line) => line.trim()));
    expect(shown.filter((line) => !lines.has(line.trim()))).toEqual([]);
  });

  it('leaves out none of them', () => {
    const lines = /```text\n([\s\S]*?)\n```/.exec(printed)?.[1]?.split('\n') ?? [];
    expect(lines.filter((line) => line.trim() !== '' && !shown.includes(line))).toEqual([]);
  });

  it('names the versions that were run', () => {
    expect(page).toContain(`promptfoo ${PROMPTFOO}`);
    expect(page).toContain(`ccusage ${CCUSAGE}`);
  });

  it('has no figure in its words that no line has', () => {
    const words = page
      .replaceAll(/^```text\n[\s\S]*?^```$/gm, '')
      .replaceAll(/\]\([^)]*\)|`[^`]*`|\b\d+\.\d+\.\d+\b|Benchmark 1\.2/g, '');
    const figures = words.match(/\d[\d,.]*\d|\d/g) ?? [];
    expect(figures.filter((figure) => !printed.includes(figure))).toEqual([]);
  });
});
