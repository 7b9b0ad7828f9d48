import { createHash } from 'node:crypto';
import type { Examined } from '../../measure/measure.ts';
import {
  type CaseEvidence,
  DEFAULT_MATCH_LEVEL,
  evidenceAt,
  MATCH_LEVELS,
  type MatchLevel,
} from '../evidence.ts';
import { type EvidenceOfCases, PackedEvidence } from '../packed-evidence.ts';
import { stripLabels } from '../strip-labels.ts';
import { examinedAt, unlessSilent } from './examine.ts';

/** Above so many outputs the words of the evidence are not kept: a run over thousands is read as numbers. */
export const OUTPUTS_WITH_WORDS = 1000;

export type Collected = {
  /** At the match level of the gate. */
  readonly cases: readonly Examined<CaseEvidence>[];
  /** The same cases at the other levels that a report shows, without words. */
  readonly otherLevels: ReadonlyMap<MatchLevel, readonly CaseEvidence[]>;
  /** Whether the evidence of the cases still says what was found and missed. */
  readonly withWords: boolean;
  /** The same with what was found and missed, where somebody wants it or there is little of it. */
  readonly words?: EvidenceOfCases;
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

/**
 * Takes cases one by one, so that never more of them is held than is needed. `keepWords`: also of thousands, packed.
 * `expected`: as far as is known, how many outputs will come.
 */
export function openCollector(
  level: MatchLevel,
  semantic: boolean,
  keepWords: boolean,
  expected = 0,
): CaseCollector {
  let cases: Examined<CaseEvidence>[] = [];
  let outputs = 0;
  const shown = [DEFAULT_MATCH_LEVEL, 'semantic'];
  const others = MATCH_LEVELS.filter((one) => semantic && one !== level && shown.includes(one));
  const otherLevels = new Map(others.map((one) => [one, [] as CaseEvidence[]]));
  const tooMany = () => Math.max(outputs, expected) > OUTPUTS_WITH_WORDS;
  const packed = keepWords ? new PackedEvidence() : undefined;
  const wordless = (one: Examined<CaseEvidence>): Examined<CaseEvidence> => {
    if ('error' in one) return one;
    packed?.add(one.evidence);
    return { ...one, evidence: stripLabels(one.evidence) };
  };
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
      const before = tooMany();
      outputs += 'evidence' in one ? one.evidence.trials.length : 1;
      if (!before && tooMany()) cases = cases.map(wordless);
      const at = examinedAt(one, level);
      cases.push(tooMany() ? wordless(at) : at);
      if ('error' in one) return;
      for (const [other, list] of otherLevels) list.push(stripLabels(evidenceAt(one.evidence, other)));
    },
    collected: () => {
      const heard = unlessSilent(cases);
      const words = tooMany() && heard === cases ? packed : new Map(heard.flatMap(evidenceWithId));
      return {
        cases: heard,
        otherLevels,
        withWords: !tooMany(),
        ...(words && { words }),
        content: sha.copy().digest('hex'),
        usage: saidIn(usage),
      };
    },
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

function evidenceWithId(one: Examined<CaseEvidence>): [string, CaseEvidence][] {
  return 'evidence' in one ? [[one.id, one.evidence]] : [];
}
