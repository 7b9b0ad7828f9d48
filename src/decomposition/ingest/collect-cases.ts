import { createHash } from 'node:crypto';
import type { Examined } from '../../measure/measure.ts';
import {
  type CaseEvidence,
  DEFAULT_MATCH_LEVEL,
  evidenceAt,
  MATCH_LEVELS,
  type MatchLevel,
} from '../evidence.ts';
import { examinedAt, unlessSilent } from './examine.ts';

export type Collected = {
  /** At the match level of the gate. */
  readonly cases: readonly Examined<CaseEvidence>[];
  /** The same cases at the other levels that a report shows. */
  readonly otherLevels: ReadonlyMap<MatchLevel, readonly CaseEvidence[]>;
  /** Hash of what was extracted and how it was recognised, however long it took and whoever made it. */
  readonly content: string;
  readonly usage: OutputUsage;
};

/** A sum over the outputs that say it. */
export type Amount = { readonly sum: number; readonly n: number };

/** What outputs say they took; nothing where none says so. */
export type OutputUsage = { readonly costUsd?: Amount; readonly latencyMs?: Amount };

export type CaseCollector = {
  readonly add: (one: Examined<CaseEvidence>) => void;
  readonly collected: () => Collected;
};

/** Takes cases one by one, as they are examined. */
export function openCollector(level: MatchLevel, semantic: boolean): CaseCollector {
  const cases: Examined<CaseEvidence>[] = [];
  const shown = [DEFAULT_MATCH_LEVEL, 'semantic'];
  const others = MATCH_LEVELS.filter((one) => semantic && one !== level && shown.includes(one));
  const otherLevels = new Map(others.map((one) => [one, [] as CaseEvidence[]]));
  const sha = createHash('sha256');
  const usage: Record<'costUsd' | 'latencyMs', { sum: number; n: number }> = {
    costUsd: { sum: 0, n: 0 },
    latencyMs: { sum: 0, n: 0 },
  };
  return {
    add: (one) => {
      sha.update(contentOf(one));
      for (const trial of 'evidence' in one ? one.evidence.trials : []) {
        for (const key of ['costUsd', 'latencyMs'] as const) {
          if (trial[key] === undefined) continue;
          usage[key].sum += trial[key];
          usage[key].n += 1;
        }
      }
      cases.push(examinedAt(one, level));
      if ('error' in one) return;
      for (const [other, list] of otherLevels) list.push(evidenceAt(one.evidence, other));
    },
    collected: () => ({
      cases: unlessSilent(cases),
      otherLevels,
      content: sha.copy().digest('hex'),
      usage: saidIn(usage),
    }),
  };
}

function saidIn({ costUsd, latencyMs }: Required<OutputUsage>): OutputUsage {
  return { ...(costUsd.n > 0 && { costUsd }), ...(latencyMs.n > 0 && { latencyMs }) };
}

function contentOf(one: Examined<CaseEvidence>): string {
  if ('error' in one) return JSON.stringify([one.id]);
  const trials = one.evidence.trials.map(
    ({ latencyMs: _, costUsd: __, model: ___, promptVersion: ____, promptSha256: _____, ...found }) => found,
  );
  return JSON.stringify([one.id, trials]);
}
