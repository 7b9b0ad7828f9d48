import { decompositionMetrics } from '../../decomposition/catalog.ts';
import { DEFAULT_MATCH_LEVEL, MATCH_LEVELS } from '../../decomposition/evidence.ts';
import { HISTORY_FILE } from '../../decomposition/history.ts';
import { EXTRACTORS } from '../../decomposition/ingest/extractors/open.ts';
import { type OutputMap, parseMap } from '../../decomposition/ingest/outputs/output-map.ts';
import { promptFolder, SHIPPED_PROMPTS, withStep } from '../../decomposition/prompts/prompt-folder.ts';
import { BASELINE_FILE } from '../../decomposition/result-file.ts';
import { OVERALL_WEIGHTS } from '../../decomposition/weights.ts';
import { metricKey } from '../../measure/metric.ts';
import type { RunSuiteRequest } from './run-suite.ts';

export const readMap = (text: string): OutputMap => parseMap(text);

/** A configured chain with the given prompt instead of its own version of that prompt. */
export const chainWith = (chain: readonly string[], name: string): readonly string[] => withStep(chain, name);

/** The prompts that a project may change, which excludes those of the package. */
export function ownPrompts(named: string | undefined, cwd: string): string | undefined {
  const folder = promptFolder(named, cwd);
  return folder === SHIPPED_PROMPTS ? undefined : folder;
}

export const DEFAULT_FILES = { baseline: BASELINE_FILE, history: HISTORY_FILE } as const;

export const CHOICES = { matchLevels: MATCH_LEVELS, extractors: EXTRACTORS } as const;

export const BETTER: ReadonlyMap<string, 'higher' | 'lower'> = new Map(
  decompositionMetrics().map(({ id, better }) => [metricKey(id), better]),
);

/** Defaults of a run; golden cases and outputs have no default. */
export const SUITE_DEFAULTS = {
  thresholds: { weights: OVERALL_WEIGHTS, overallScale: 'documented' },
  matchLevel: DEFAULT_MATCH_LEVEL,
  semantic: false,
} as const satisfies Partial<RunSuiteRequest>;
