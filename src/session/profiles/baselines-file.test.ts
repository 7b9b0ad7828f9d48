import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SHIPPED_BASELINES } from './baselines.ts';
import { readBaselines, sayBaselines } from './baselines-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-baselines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (text: string) => {
  const path = join(folder, 'baselines.json');
  writeFileSync(path, text);
  return path;
};

describe('a baselines file', () => {
  it('reads back what was written', () => {
    const set = { ...SHIPPED_BASELINES, name: 'mine', idleCostByAgent: { tim: 0.03 } };
    expect(readBaselines(write(sayBaselines(set)))).toEqual(set);
    expect(readBaselines(write(sayBaselines(SHIPPED_BASELINES)))).toEqual(SHIPPED_BASELINES);
  });

  it('is refused with the place named when a type is missing or a figure is 0', () => {
    const { coding: _, ...rest } = SHIPPED_BASELINES.perType;
    expect(() => readBaselines(write(JSON.stringify({ name: 'x', perType: rest })))).toThrow(
      /perType\.coding/,
    );
    const zero = { ...SHIPPED_BASELINES.perType, chat: { tokenRatio: 0, turns: 1 } };
    expect(() => readBaselines(write(JSON.stringify({ name: 'x', perType: zero })))).toThrow(
      /perType\.chat\.tokenRatio/,
    );
  });
});
