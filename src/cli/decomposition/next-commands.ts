import { relative, resolve } from 'node:path';
import { BASELINE_FILE } from '../../decomposition/baseline.ts';
import type { Arguments, Terminal } from '../command.ts';
import { shellWord } from '../shell-word.ts';

/** What decides which outputs are measured and how; a next step without them would measure something else. */
const SOURCE = [
  'golden',
  'outputs',
  'extractor',
  'command',
  'model',
  'prompt',
  'prompts',
  'base-url',
  'temperature',
  'repeat',
  'match-level',
  'no-semantic',
  'config',
] as const;

/** Where a run is written down. */
const PLACES = ['history', 'store'] as const;

const DEFAULTS: Readonly<Record<string, string>> = { golden: 'golden', repeat: '1' };

/** Looks closer at the same outputs of the same golden cases. */
export function investigateAgain(args: Arguments): string {
  return line(['investigate'], args, SOURCE);
}

/** Measures the same outputs of the same golden cases. */
export function measureAgain(args: Arguments, ...words: string[]): string {
  return line(words, args, [...SOURCE, ...PLACES]);
}

/** Holds them against the baseline at `path`. */
export function compareAgain(args: Arguments, { cwd }: Terminal, path: string, ...words: string[]): string {
  const baseline = path === resolve(cwd, BASELINE_FILE) ? [] : ['--baseline', relative(cwd, path)];
  return measureAgain(args, 'compare', ...baseline, ...words);
}

export function trendOf(args: Arguments): string {
  return line(['trend'], args, ['history', 'config']);
}

function line(words: readonly string[], { values }: Arguments, carried: readonly string[]): string {
  const options = carried.flatMap((name) => {
    const value = values[name];
    if (value === true) return [`--${name}`];
    return typeof value === 'string' && value !== DEFAULTS[name] ? [`--${name}`, value] : [];
  });
  return ['assay decomposition', ...[...words, ...options].map(shellWord)].join(' ');
}
