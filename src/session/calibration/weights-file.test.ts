import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AssayError } from '../../errors.ts';
import { factsWith, runWith } from '../example-session.ts';
import { SCORER_VERSION } from '../score.ts';
import { calibrate } from './calibrate.ts';
import {
  hashLabels,
  readWeights,
  readWeightsFile,
  type WeightsFile,
  weightsFileOf,
  writeWeightsFile,
} from './weights-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-weights-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'weights.json');

const sessions = Array.from({ length: 40 }, (_, i) => ({
  facts: factsWith(
    [
      runWith({
        tools: { calls: 4, succeeded: 4 - (i % 4), failed: i % 4, firstAttemptSuccesses: 4 - (i % 4) },
      }),
    ],
    { sessionId: `${i}`, declaredTaskType: 'chat' },
  ),
  label: i % 4 < 2 ? 1 : 0,
  source: 'one',
}));
const FILE: WeightsFile = weightsFileOf(
  calibrate(sessions, { kind: 'outcomes', name: 'mine', signals: true, shrinkage: 0.1 }),
  { created: '2026-11-15T09:00:00.000Z', labelsHash: hashLabels(new Map([['0', 1]])) },
);

function written(content: unknown): string {
  writeFileSync(path, JSON.stringify(content));
  return path;
}

function failure(run: () => unknown): AssayError {
  try {
    run();
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a weights file', () => {
  it('is read back as it was written, and gives weights for the scorer with a name of their own', () => {
    writeWeightsFile(path, FILE);
    expect(readWeightsFile(path)).toEqual(FILE);
    const { weights } = readWeights(path);
    expect(weights.name).toMatch(/^mine@[0-9a-f]{8}$/);
    expect(weights.profiles).toEqual(FILE.profiles);
    expect(weights.signals).toEqual(FILE.signals);
    expect(FILE.signals).toBeDefined();
    expect(readdirSync(folder)).toEqual(['weights.json']);
  });

  it('is told apart from another of the same name', () => {
    writeWeightsFile(path, FILE);
    const { name } = readWeights(path).weights;
    const even = { completion: 0.25, execution: 0.25, efficiency: 0.25, outcome: 0.25 };
    writeWeightsFile(path, { ...FILE, profiles: { ...FILE.profiles, chat: even } });
    expect(readWeights(path).weights.name).not.toBe(name);
  });

  it('says what a person should know before using it', () => {
    const gained = { ...FILE, crossValidation: { ...FILE.crossValidation, gained: true } };
    const doubts = (file: unknown) => readWeights(written(file)).doubts;
    expect(doubts(gained)).toEqual([]);
    expect(doubts({ ...gained, scorerVersion: 'session-0' })).toEqual([
      { kind: 'other scorer', fittedWith: 'session-0', scorer: SCORER_VERSION },
    ]);
    const kept = { ...FILE.crossValidation, gained: false, verdict: 'no gain out of fold' };
    expect(doubts({ ...FILE, crossValidation: kept })).toEqual([
      { kind: 'no gain', because: 'no gain out of fold' },
    ]);
  });

  it.each([
    ['another format', { format: 'x' }, 'is not a weights file'],
    ['a newer version', { version: 2 }, 'has version 2'],
    ['an older version', { version: 0 }, 'version'],
    ['an unknown key', { extra: 1 }, 'extra'],
    ['a missing type', { profiles: {} }, 'profiles.coding'],
    ['a date nobody can read', { created: 'yesterday' }, 'created'],
    ['an unknown signal', { signals: { mood: 1 } }, 'signals'],
    ['signals that do not sum to 1', { signals: { compactions: 1 } }, 'sum to 1'],
  ])('with %s is refused, with the place', (_, change, message) => {
    const error = failure(() => readWeights(written({ ...FILE, ...change })));
    expect(error.code).toBe('INPUT_INVALID');
    expect(error.message).toContain(message);
  });

  it.each([
    [{ completion: 0.5, execution: 0.5, efficiency: 0.5, outcome: 0 }, 'must sum to 1'],
    [{ completion: -0.5, execution: 0.5, efficiency: 0.5, outcome: 0.5 }, 'profiles.chat.completion'],
    [{ completion: 1, execution: 0, efficiency: 0 }, 'profiles.chat.outcome'],
  ])('with the profile %j is refused', (chat, message) => {
    const content = { ...FILE, profiles: { ...FILE.profiles, chat } };
    expect(failure(() => readWeights(written(content))).message).toContain(message);
  });

  it('that is missing, not JSON or cannot be written is an error of its own', () => {
    expect(failure(() => readWeights(join(folder, 'none.json'))).code).toBe('FILE_NOT_FOUND');
    expect(failure(() => readWeights(written([]))).message).toContain('is not a weights file');
    writeFileSync(path, '{');
    expect(failure(() => readWeights(path)).code).toBe('INPUT_INVALID');
    expect(failure(() => writeWeightsFile(join(path, 'w.json'), FILE)).code).toBe('OUTPUT_FAILED');
    rmSync(path);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('hashLabels', () => {
  it('is the same for the same labels in any order, and another for others', () => {
    const labels = [['a', 1] as const, ['b', 0] as const];
    expect(hashLabels(new Map(labels))).toBe(hashLabels(new Map(labels.toReversed())));
    expect(hashLabels(new Map([['a', 1]]))).not.toBe(hashLabels(new Map(labels)));
  });
});
