/** The options of every command that measures golden cases, and the requests they make. */

import { dirname, resolve } from 'node:path';
import { encodeLazily } from '../../api/wire.ts';
import type { Config } from '../../config.ts';
import { runNotes, runView } from '../../decomposition/views/run-view.ts';
import { AssayError } from '../../errors.ts';
import type { BaselineRequest } from '../../operations/decomposition/baseline.ts';
import {
  BETTER,
  CHOICES,
  DEFAULT_FILES,
  ownPrompts,
  readMap,
} from '../../operations/decomposition/defaults.ts';
import type {
  OutputSource,
  SemanticRequest,
  SuiteRequest,
} from '../../operations/decomposition/read-suite.ts';
import type { RunSuiteRequest, SuiteRun, Thresholds } from '../../operations/decomposition/run-suite.ts';
import type { Action, Given } from '../../report/action.ts';
import type { View } from '../../report/view.ts';
import {
  ALL_OPTION,
  CONFIG_OPTION,
  type Option,
  type Options,
  type Pairs,
  RUN_FORMAT_OPTION,
  type SomeArguments,
  STORING_OPTIONS,
  type Terminal,
} from '../command.ts';
import { type PrintArguments, printResult } from '../print-result.ts';
import { readSettings, type Settings } from '../settings.ts';
import { EXTRACTOR_OPTIONS, measuredExtractor, REPEAT_OPTION } from './extractor-options.ts';

/** Options that replace the documented lines. */
export const STANDARD_OPTIONS = {
  min: {
    type: 'pairs',
    number: true,
    keys: () => [...BETTER.keys()],
    value: 'METRIC=LINE',
    doc: 'Fail below this line, e.g. concept_recall=0.8; may be repeated',
  },
  max: {
    type: 'pairs',
    number: true,
    keys: () => [...BETTER.keys()],
    value: 'METRIC=LINE',
    doc: 'Fail above this line, e.g. hallucination_rate=0.01; may be repeated',
  },
  'leave-out': {
    type: 'list',
    value: 'METRIC',
    doc: 'Leave a metric out of gate and score, e.g. provenance_coverage; may be repeated',
  },
  'min-cases': {
    type: 'number',
    min: 1,
    max: 1_000_000,
    whole: true,
    value: 'N',
    doc: 'Minimum golden cases for a verdict (default 5)',
  },
} as const satisfies Options;

// Without a default: whether one was named decides where outputs come from.
const { extractor: _, ...EXTRACTION } = EXTRACTOR_OPTIONS;

/** Where the outputs come from. */
export const SOURCE_OPTIONS = {
  golden: { type: 'path', value: 'DIR', default: 'golden', doc: 'The golden cases' },
  outputs: {
    type: 'path',
    value: 'PATH',
    doc: 'Recorded outputs: a folder with <case>.json, a JSONL or a results file',
  },
  map: {
    type: 'pairs',
    value: 'KEY=PATH,…',
    doc: 'How to read outputs of another shape, e.g. concepts=entities[].name',
  },
  ...REPEAT_OPTION,
  'match-level': { type: 'choice', choices: CHOICES.matchLevels, doc: 'The loosest match level that counts' },
  'no-semantic': { type: 'flag', doc: 'Do not measure what semantic matching would add' },
  extractor: {
    type: 'choice',
    choices: CHOICES.extractors,
    doc: 'What extracts (default as configured, else local; llm with --prompt)',
  },
  ...EXTRACTION,
  prompt: { type: 'text', value: 'NAME', doc: 'The prompt to measure, or that outputs were made with' },
} as const satisfies Options;

export const HISTORY_OPTION = {
  history: { type: 'path', value: 'FILE', doc: `The history file (default ${DEFAULT_FILES.history})` },
} as const satisfies Options;

/** What every command that runs the golden cases takes. */
export const RUN_OPTIONS = {
  format: RUN_FORMAT_OPTION,
  all: ALL_OPTION,
  ...SOURCE_OPTIONS,
  ...STANDARD_OPTIONS,
  ...HISTORY_OPTION,
  'no-history': { type: 'flag', doc: 'Do not add this run to the history' },
  ...STORING_OPTIONS,
  ...CONFIG_OPTION,
} as const satisfies Options;

/** How a comparison is judged. */
export const COMPARE_OPTIONS = {
  approve: {
    type: 'text',
    value: 'REASON',
    doc: 'Approve a regression of the overall score; who, when and why are stored',
  },
  reason: {
    type: 'text',
    value: 'WHY',
    doc: 'Reason why metrics fell by one to five points; stored like an approval',
  },
  insist: { type: 'flag', doc: 'Compare even if golden cases or scorer differ' },
} as const satisfies Options;

export const BASELINE_OPTION = {
  type: 'path',
  value: 'FILE',
  doc: `The baseline (default ${DEFAULT_FILES.baseline})`,
} as const satisfies Option;

type StandardArguments = SomeArguments<typeof STANDARD_OPTIONS>;
type SourceArguments = SomeArguments<typeof SOURCE_OPTIONS>;
export type RunArguments = SomeArguments<typeof RUN_OPTIONS>;

export async function runRequest(args: RunArguments, terminal: Terminal): Promise<RunSuiteRequest> {
  const settings = await readSettings(args, terminal);
  const { golden = 'golden', history = DEFAULT_FILES.history } = args.values;
  return {
    golden,
    source: sourceOf(args, terminal, settings),
    ...matchingOf(args, settings),
    thresholds: thresholdsOf(args, settings.config),
    prompts: ownPrompts(args.values.prompts && resolve(terminal.cwd, args.values.prompts), terminal.cwd),
    ...(!args.values['no-history'] && { history: resolve(terminal.cwd, history) }),
  };
}

export function matchingOf(
  { values }: SourceArguments,
  { config }: Settings,
): SemanticRequest & Pick<SuiteRequest, 'predicateMap' | 'vocabulary'> {
  const matchLevel = values['match-level'] ?? config.decomposition.matchLevel;
  const semantic = !values['no-semantic'];
  const { predicateMap, golden: vocabulary } = config.decomposition;
  if (semantic || matchLevel !== 'semantic') return { matchLevel, semantic, predicateMap, vocabulary };
  throw new AssayError('USAGE', '--no-semantic contradicts the match level semantic');
}

export function sourceOf(args: SourceArguments, terminal: Terminal, settings: Settings): OutputSource {
  const { config } = settings;
  const { map: typed, prompt, repeat = 1 } = args.values;
  const folder = args.values.outputs ?? configuredOutputs(args, settings);
  if (folder === undefined) {
    const extractor = measuredExtractor(args, terminal, config.decomposition);
    const { predicates } = config.decomposition.golden;
    return { kind: 'extractor', extractor: { ...extractor, predicates }, repeat };
  }
  const stray = strayOf(args.given, ['extractor', 'model', 'command']);
  if (stray !== undefined) throw new AssayError('USAGE', `--${stray} has no effect with --outputs`);
  const text = typed?.map((pair) => pair.join('=')).join(',');
  const map = { ...config.decomposition.map, ...(text !== undefined && readMap(text)) };
  return { kind: 'recorded', folder, map, prompt };
}

/** Only where nothing else was named; the path starts at the configuration. */
function configuredOutputs({ given }: SourceArguments, { config, path }: Settings): string | undefined {
  const { extractor, outputs } = config.decomposition;
  if (extractor !== 'recorded' || strayOf(given, ['extractor', 'model', 'command']) !== undefined)
    return undefined;
  if (outputs !== undefined) return resolve(dirname(path ?? '.'), outputs);
  throw new AssayError(
    'USAGE',
    'decomposition.extractor is "recorded", but decomposition.outputs is not set',
    {
      remedy: 'Set the folder or file of the outputs in the configuration, or with --outputs.',
    },
  );
}

/** The first of these options that was given, where another one leaves it nothing to do. */
export function strayOf(given: Given, names: readonly string[]): string | undefined {
  return names.find((name) => name in given);
}

export function againstOf(
  { values }: SomeArguments<typeof COMPARE_OPTIONS>,
  baseline: string,
): BaselineRequest {
  const { approve, reason, insist = false } = values;
  return { baseline, insist, approve, reason };
}

/** The standard of the configuration, overridden by the command line. */
export function thresholdsOf({ values }: StandardArguments, { decomposition }: Config): Thresholds {
  const { gate } = decomposition;
  const { min, max, 'leave-out': out = [], 'min-cases': minCases = gate.minCases } = values;
  return {
    ...decomposition,
    gate: {
      guards: gate.guards,
      lines: { ...gate.lines, ...linesOf(min, 'min'), ...linesOf(max, 'max') },
      leaveOut: [...new Set([...gate.leaveOut, ...out])],
      minCases,
    },
  };
}

/** `concept_recall=0.8`: below it the metric fails. Of a metric where less is better only a maximum makes sense. */
function linesOf(pairs: Pairs<number> = [], option: 'min' | 'max'): Record<string, number> {
  const [better, other] = option === 'min' ? (['higher', 'max'] as const) : (['lower', 'min'] as const);
  for (const [key, line] of pairs) {
    const known = BETTER.get(key);
    if (known === better) continue;
    const side = known === 'lower' ? 'less' : 'more';
    throw new AssayError('USAGE', `--${option}: of ${key} ${side} is better; use --${other} ${key}=${line}`);
  }
  return Object.fromEntries(pairs);
}

/** A run of the golden cases; `more` is what a command adds to it. */
export async function printRun(
  args: PrintArguments,
  terminal: Terminal,
  run: SuiteRun,
  next: readonly Action[],
  more: { readonly wire?: object; readonly document?: () => View } = {},
): Promise<void> {
  const wire = async () =>
    encodeLazily((await import('../../api/schema/decomposition.ts')).decompositionRun, {
      ...run,
      notes: runNotes(run),
    });
  await printResult(args, terminal, {
    document: more.document ?? (() => runView(run, next)),
    json: async () => ({ ...(await wire()), ...more.wire }),
    jsonl: async () => (await wire()).cases,
    csv: async () => (await import('../../report/verdict-view.ts')).verdictRows(run.verdict),
    junit: async () => (await import('../../report/junit.ts')).junitPieces(run.verdict),
  });
}
