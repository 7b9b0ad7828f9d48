import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import type { BaselineRequest } from '../../operations/decomposition/baseline-check.ts';
import { DEFAULT_FILES, readMap } from '../../operations/decomposition/defaults.ts';
import type { OutputSource, SuiteRequest } from '../../operations/decomposition/read-suite.ts';
import type { RunSuiteRequest } from '../../operations/decomposition/run-suite.ts';
import type { SemanticRequest } from '../../operations/decomposition/semantic-level.ts';
import type { Arguments, Terminal } from '../command.ts';
import { readSettings, type Settings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { measuredExtractor } from './extractor-request.ts';
import { filledText, repeatOf, strayOf } from './option-values.ts';
import { thresholdsOf } from './standard-request.ts';

/** What the model says about labels is the same in every run; it is asked once for each. */
const VECTORS_FILE = '.assay/cache/vectors';

export async function runRequest(args: Arguments, terminal: Terminal): Promise<RunSuiteRequest> {
  const settings = await readSettings(args, terminal);
  const history = textOf(args, 'history') ?? DEFAULT_FILES.history;
  return {
    golden: textOf(args, 'golden') ?? 'golden',
    source: sourceOf(args, terminal, settings),
    ...matchingOf(args, settings),
    vectors: resolve(terminal.cwd, VECTORS_FILE),
    thresholds: thresholdsOf(args, settings.config),
    ...(args.values['no-history'] !== true && { history: resolve(terminal.cwd, history) }),
  };
}

export function matchingOf(
  args: Arguments,
  { config }: Settings,
): SemanticRequest & Pick<SuiteRequest, 'predicateMap' | 'vocabulary'> {
  const named = textOf(args, 'match-level') as SemanticRequest['matchLevel'] | undefined;
  const matchLevel = named ?? config.decomposition.matchLevel;
  const semantic = args.values['no-semantic'] !== true;
  const { predicateMap, golden: vocabulary } = config.decomposition;
  if (semantic || matchLevel !== 'semantic') return { matchLevel, semantic, predicateMap, vocabulary };
  throw new AssayError('USAGE', '--no-semantic leaves nothing for the match level semantic to do');
}

export function sourceOf(args: Arguments, terminal: Terminal, { config }: Settings): OutputSource {
  const folder = textOf(args, 'outputs');
  if (folder === undefined) {
    const extractor = measuredExtractor(args, terminal, config.decomposition.model);
    const { predicates } = config.decomposition.golden;
    return { kind: 'extractor', extractor: { ...extractor, predicates }, repeat: repeatOf(args) };
  }
  refuseExtractor(args);
  const prompt = filledText(args, 'prompt');
  const text = filledText(args, 'map');
  const map = { ...config.decomposition.map, ...(text !== undefined && readMap(text)) };
  return { kind: 'recorded', folder, map, prompt };
}

function refuseExtractor(args: Arguments): void {
  const stray = strayOf(args, ['extractor', 'model', 'command']);
  if (stray === undefined) return;
  throw new AssayError('USAGE', `--outputs names recorded outputs, so there is nothing for --${stray} to do`);
}

export function againstOf(args: Arguments, baseline: string): BaselineRequest {
  const [approve, reason] = [textOf(args, 'approve'), textOf(args, 'reason')];
  return {
    baseline,
    insist: args.values.insist === true,
    approve,
    reason,
  };
}
