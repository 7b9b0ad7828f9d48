import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readVectors, writeVectors } from './load.ts';

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
  path = join(folder, 'cache/vectors');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const vectors = new Map([
  ['tidal marsh', Float32Array.of(0.1, -0.25, 1e-30)],
  ['Moor\n„ß“ 🌊', Float32Array.of(1, 2, 3)],
]);

it('gives back the very vectors that it was given, and leaves nothing else behind', () => {
  writeVectors(path, 'model 1', vectors);
  expect(readVectors(path, 'model 1')).toEqual(vectors);
  expect(readdirSync(join(folder, 'cache'))).toEqual(['.gitignore', 'vectors']);
});

it('has no vectors of another model', () => {
  writeVectors(path, 'model 1', vectors);
  expect(readVectors(path, 'model 2').size).toBe(0);
});

it('is empty, not wrong, when the file is damaged, cut, of another kind or not there', () => {
  writeVectors(path, 'model 1', vectors);
  const whole = readFileSync(path);
  const damaged = join(folder, 'damaged');
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, bits, cut) => {
      const bytes = cut ? whole.subarray(0, at) : Buffer.from(whole);
      if (!cut) bytes[at] = (bytes[at] as number) ^ bits;
      writeFileSync(damaged, bytes);
      // A flipped bit may leave the same JSON, but never other vectors.
      const read = readVectors(damaged, 'model 1');
      expect(read.size === 0 ? vectors : read).toEqual(vectors);
    }),
  );
  writeFileSync(damaged, 'something else');
  for (const other of [damaged, folder, join(folder, 'nowhere')]) {
    expect(readVectors(other, 'model 1').size).toBe(0);
  }
});

it('does without where nothing can be written', () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  expect(() => writeVectors(join(file, 'vectors'), 'model 1', vectors)).not.toThrow();
});

it('changes nothing in what the model says', () => {
  const memory = join(folder, 'remembered/vectors');
  mkdirSync(join(folder, 'remembered'));
  const script = `
    const { loadSemanticModel } = await import('./src/decomposition/match/semantic/load.ts');
    const [file] = process.argv.slice(1);
    const model = await loadSemanticModel(file);
    const [one, other] = await model.embed(['tidal marsh', 'salt marsh']);
    model.keep();
    console.log(JSON.stringify([[...one], [...other]]));`;
  const say = (...file: string[]) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script, ...file], { encoding: 'utf8' });
  const [without, first] = [say(), say(memory)];
  expect(without.stderr).toBe('');
  expect(existsSync(memory)).toBe(true);
  const again = say(memory);
  expect(JSON.parse(without.stdout)[0]).toHaveLength(384);
  expect(first.stdout).toBe(without.stdout);
  expect(again.stdout).toBe(without.stdout);
});
