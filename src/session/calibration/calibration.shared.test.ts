import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../event.ts';
import { type FoldState, finish, startFold, step } from '../fold/fold.ts';
import type { Adapter } from '../ingest/formats/format.ts';
import { readTauOutcomes, tau2Adapter, tauAdapter } from '../ingest/formats/tau-bench.ts';
import { loadPrices } from '../pricing/load-prices.ts';
import { scoreSession } from '../score-session.ts';
import { calibrate } from './calibrate.ts';
import type { LabelledSession } from './dataset.ts';
import { validateOutcomes } from './validate-outcomes.ts';

const DATA = '../shared/data/session';

/** The runs of one result file with their outcomes, which transcript readers ignore. */
function labelledRuns(path: string): LabelledSession[] {
  const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return tauAdapter.detect({ records: [document], document: true, path })
    ? runsOf(tauAdapter, document, path)
    : runsOf(tau2Adapter, document, path);
}

function runsOf(adapter: Adapter, document: unknown, path: string): LabelledSession[] {
  const folds = new Map<string, FoldState>();
  const emit = (event: Event, session = '') => {
    const fold = folds.get(session) ?? startFold('tau');
    folds.set(session, fold);
    step(fold, event);
  };
  const state = adapter.start({ path });
  for (const element of adapter.elements?.(document, { path }) ?? []) adapter.step(state, element, 1, emit);
  const outcomes = new Map(readTauOutcomes(document, { path }).map((one) => [one.sessionId, one.outcome]));
  return [...folds].flatMap(([session, fold]) => {
    const facts = finish(fold, session);
    const label = facts && outcomes.get(facts.sessionId);
    return facts === undefined || label === undefined
      ? []
      : [{ facts, label, source: basename(path, '.json') }];
  });
}

describe.skipIf(!existsSync(DATA))('on the tau runs with known outcomes', async () => {
  const prices = await loadPrices();
  const paths = existsSync(DATA)
    ? globSync([`${DATA}/tau-bench/*.json`, `${DATA}/tau2-bench/*.json`])
        .filter((path) => basename(path) !== 'index.json')
        .sort()
    : [];
  const labelled = paths.flatMap(labelledRuns);
  const scored = labelled.map(({ facts, label, source }) => ({
    facts,
    scored: scoreSession(facts, { prices }),
    outcome: label,
    source,
  }));

  it('every run has facts, an outcome and a Q', () => {
    expect(paths).toHaveLength(9);
    expect(labelled).toHaveLength(509);
    expect(scored.every((one) => one.scored.q !== undefined)).toBe(true);
    expect(labelled.every((one) => one.label >= 0 && one.label <= 1)).toBe(true);
  });

  it('Q is a ranking of session health, weak on correctness: an area with an interval for each file', () => {
    const found = validateOutcomes(
      scored.map(({ facts, scored: { q, taskType }, outcome, source }) => ({
        sessionId: facts.sessionId,
        taskType,
        q,
        outcome,
        source,
      })),
    );
    expect(found.perSource).toHaveLength(9);
    for (const { auc } of [found, ...found.perSource]) {
      expect(auc).toMatchObject({ measured: true });
      expect(auc.measured && auc.low !== undefined && auc.low <= auc.value).toBe(true);
    }
    expect(found.success.reliability.reduce((sum, bin) => sum + bin.n, 0)).toBe(509);
  });

  it('calibration leaves one file out at a time, and says gained only when the interval does', {
    timeout: 120_000,
  }, () => {
    const found = calibrate(labelled, { kind: 'outcomes', name: 'tau', prices });
    expect(found.method).toBe('leave one source out');
    expect(found.folds.map((fold) => fold.n).reduce((sum, n) => sum + n, 0)).toBe(509);
    expect(found.outOfFold.figures.map((figure) => figure.scope)).toEqual([
      'all',
      'within sources',
      ...[...new Set(labelled.map((one) => one.source))].sort(),
    ]);
    const { gain } = found.outOfFold;
    expect(found.verdict.gained).toBe((gain?.interval?.low ?? 0) > 0);
    const [, within] = found.outOfFold.figures;
    expect(
      within?.documented.measured &&
        within.calibrated.measured &&
        within.calibrated.value - within.documented.value,
    ).toBeCloseTo(gain?.value ?? Number.NaN, 9);
    for (const profile of Object.values(found.weights.profiles)) {
      expect(Object.values(profile).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
    }
  });
});
