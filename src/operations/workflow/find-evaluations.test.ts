import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorsToPredict, handIn, readDesk, startBlind } from './blind.ts';
import { findEvaluations } from './find-evaluations.ts';
import { reportExperiment } from './report-experiment.ts';

let folder: string;
const now = () => new Date('2026-01-01T00:00:00.000Z');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-found-'));
  cpSync('examples/workflow', join(folder, 'reviews', 'relay'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function start(): string {
  const relay = join(folder, 'reviews/relay');
  startBlind(
    {
      inputs: {
        truth: join(relay, 'truth/webhook-relay.yaml'),
        documents: join(relay, 'documents/webhook-relay'),
        runs: [join(relay, 'runs')],
      },
      folder: join(folder, 'blind'),
      by: 'ada',
      evaluators: ['ada'],
    },
    { now },
  );
  return join(folder, 'blind');
}

describe('below a folder', () => {
  it('experiments and blind evaluations are found, with paths from that folder', () => {
    start();
    const { experiments, blind, partial } = findEvaluations(folder);
    expect(experiments).toHaveLength(1);
    expect(experiments[0]).toMatchObject({
      path: 'reviews/relay',
      arms: [
        { workflow: 'review-1', task: 'webhook-relay', truth: 'reviews/relay/truth/webhook-relay.yaml' },
        { workflow: 'review-2', documents: 'reviews/relay/documents/webhook-relay' },
      ],
    });
    expect(blind).toMatchObject([{ path: 'blind', status: { evaluators: [{ name: 'ada' }] } }]);
    expect(partial).toBe(false);
  });

  it('one that cannot be read is told with its fault, and links are not followed', () => {
    mkdirSync(join(folder, 'broken'));
    writeFileSync(join(folder, 'broken/experiment.yaml'), 'tasks: 3\n');
    symlinkSync(join(folder, 'reviews'), join(folder, 'again'));
    const { experiments } = findEvaluations(folder);
    expect(experiments.map(({ path }) => path)).toEqual(['broken', 'reviews/relay']);
    expect(experiments[0]).toHaveProperty('fault');
  });

  it('nothing outside is read, whatever an experiment names', () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    writeFileSync(
      join(inner, 'experiment.yaml'),
      'tasks:\n  - task: webhook-relay\n    truth: ../reviews/relay/truth/webhook-relay.yaml\nruns:\n  - workflow: review-1\n    task: webhook-relay\n    files: [../reviews/relay/runs/review-1/webhook-relay]\n',
    );
    const asked = (within?: string) =>
      reportExperiment({
        inputs: { experiment: inner, within },
        components: ['wds'],
      });
    expect(asked().report.experiments).toHaveLength(1);
    expect(() => asked(inner)).toThrow(expect.objectContaining({ code: 'OUTSIDE' }));
    symlinkSync(join(folder, 'reviews/relay/truth'), join(inner, 'truth'));
    symlinkSync(join(folder, 'reviews/relay/runs'), join(inner, 'runs'));
    writeFileSync(
      join(inner, 'experiment.yaml'),
      'tasks:\n  - task: webhook-relay\n    truth: truth/webhook-relay.yaml\n',
    );
    expect(() => asked(inner)).toThrow(expect.objectContaining({ code: 'OUTSIDE' }));
  });
});

describe('the desk of a blind evaluator', () => {
  it('holds only the step that is due, from the first finding to the opened results', () => {
    const blind = start();
    const by = 'ada';
    const desk = () => readDesk({ folder: blind, by });
    const first = desk();
    if (first.step !== 'assess') throw new Error(first.step);
    expect(JSON.stringify(first)).not.toContain('review-1');
    expect(() => errorsToPredict({ folder: blind, by }, { now })).toThrow(
      expect.objectContaining({ code: 'BLIND_ORDER' }),
    );
    expect(() => handIn({ folder: blind, by, step: 'match', answers: [] }, { now })).toThrow(
      expect.objectContaining({ code: 'BLIND_ORDER' }),
    );
    const [one, ...rest] = (first.findings ?? []).map(({ id }) => ({
      finding: id,
      judgement: 'CANNOT_TELL',
    }));
    expect(handIn({ folder: blind, by, step: 'assess', answers: [one] }, { now }).missing).toHaveLength(
      rest.length,
    );
    expect(desk()).toMatchObject({ step: 'assess', of: rest.length + 1 });
    expect(handIn({ folder: blind, by, step: 'assess', answers: rest }, { now }).receipt).toBeDefined();

    // Looking shows nothing of the ground truth until it is asked for, which is written down.
    expect(desk()).toEqual({ step: 'predict', of: expect.any(Number) });
    errorsToPredict({ folder: blind, by }, { now });
    const second = desk();
    expect(second.step).toBe('predict');
    const predictions = (second.errors ?? []).map(({ id }) => ({ error: id, prediction: 'CANNOT_TELL' }));
    handIn({ folder: blind, by, step: 'predict', answers: predictions }, { now });

    const third = desk();
    expect(third.step).toBe('match');
    const matches = (third.matches?.findings ?? []).map(({ id }) => ({
      finding: id,
      match: 'UNRESOLVED',
      reason: 'nobody could tell',
    }));
    handIn({ folder: blind, by, step: 'match', answers: matches }, { now });
    expect(desk()).toEqual({ step: 'check', waiting: [], disputed: [] });
  });
});
