import type { Command } from './command.ts';

export type Entry = {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
};

/** Every command with one line about it. Its file is loaded only when it is used; a test holds the summaries equal. */
export const COMMANDS: readonly Entry[] = [
  {
    name: 'example',
    summary: 'Measure the bundled example and show what a result looks like',
    load: () => import('./example.ts'),
  },
  { name: 'metrics', summary: 'List every metric, or explain one', load: () => import('./metrics.ts') },
  { name: 'runs', summary: 'List the runs in the store, or show one', load: () => import('./runs.ts') },
  {
    name: 'config',
    summary: 'Show every setting, its value and where it comes from',
    load: () => import('./config.ts'),
  },
];

/** What `assay` does without a command. */
export const DEFAULT_COMMAND = 'example';
