import { type Action, carry, type Given } from '../../report/action.ts';

/** Options that determine how a text is extracted. */
export const EXTRACTING = [
  'extractor',
  'command',
  'model',
  'prompts',
  'base-url',
  'temperature',
  'max-output-tokens',
  'stream',
  'retries',
  'max-cost',
  'cache',
  'no-cache',
  'concurrency',
  'timeout',
] as const;

/** Options that set the requirements for a run. */
const STANDARD = ['min', 'max', 'leave-out', 'min-cases'] as const;

/** Options that select the outputs and how they are measured; a next step without them would measure something else. */
const SOURCE = [
  'golden',
  'outputs',
  'map',
  'prompt',
  'repeat',
  'match-level',
  'no-semantic',
  'config',
  ...STANDARD,
  ...EXTRACTING,
] as const;

/** Options for where a run is recorded. */
const PLACES = ['history', 'no-history', 'store'] as const;

export function investigateNext(given: Given): Action {
  return { operation: 'decomposition investigate', options: carry(given, SOURCE) };
}

export function baselineNext(given: Given): Action {
  return { operation: 'decomposition baseline', options: carry(given, [...SOURCE, ...PLACES]) };
}

export function pageNext(given: Given, file: string): Action {
  return {
    operation: 'decomposition run',
    options: { format: 'html', out: file, ...carry(given, [...SOURCE, ...PLACES]) },
  };
}

export function compareNext(given: Given, out?: string): Action {
  const named = given['baseline-file'];
  return {
    operation: 'decomposition compare',
    options: {
      ...(typeof named === 'string' && { 'baseline-file': named }),
      ...(out !== undefined && { format: 'html', out }),
      ...carry(given, ['insist', ...SOURCE, ...PLACES]),
    },
  };
}

export function compareFilesNext(files: readonly string[], given: Given, out: string): Action {
  const options = {
    format: 'html',
    out,
    ...carry(given, ['baseline-file', 'insist', 'config', 'store', ...STANDARD]),
  };
  return { operation: 'decomposition compare', positionals: files, options };
}

export function trendNext(given: Given): Action {
  return { operation: 'decomposition trend', options: carry(given, ['history', 'config']) };
}

/** Shown to users and API clients for a text without any concept. */
export function nothingFound(why: string | undefined): string {
  return `no concept was found${why === undefined ? '' : `: ${why}`}`;
}
