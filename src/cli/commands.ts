import type { Command } from './command.ts';

export type Entry = {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
};

/** Every command with one line about it. Its file is loaded only when it is used; a test holds the summaries equal. */
export const COMMANDS: readonly Entry[] = [
  {
    name: 'overview',
    summary: 'Score the agent sessions on this machine, or show the example when there are none',
    load: () => import('./overview.ts'),
  },
  {
    name: 'sessions score',
    summary: 'Score agent sessions: what they did, how well, for how much',
    load: () => import('./sessions/score.ts'),
  },
  {
    name: 'sessions explain',
    summary: 'Why a session scored as it did: each signal, what it cost, and the lines behind it',
    load: () => import('./sessions/explain.ts'),
  },
  {
    name: 'sessions flags',
    summary: 'Sessions that scored too low to ignore (Q below 0.40)',
    load: () => import('./sessions/flags.ts'),
  },
  {
    name: 'sessions digest',
    summary: 'What happened in the last day or week, and what changed since the one before',
    load: () => import('./sessions/digest.ts'),
  },
  {
    name: 'sessions roi',
    summary: 'Quality per dollar by model, agent, task type or day',
    load: () => import('./sessions/roi.ts'),
  },
  {
    name: 'sessions frontier',
    summary: 'The cost–quality frontier per task type, and whether the dearer model is worth it',
    load: () => import('./sessions/frontier.ts'),
  },
  {
    name: 'sessions baselines show',
    summary: 'The baselines that efficiency is measured against',
    load: () => import('./sessions/baselines-show.ts'),
  },
  {
    name: 'sessions baselines fit',
    summary: 'Fit baselines to your own history',
    load: () => import('./sessions/baselines-fit.ts'),
  },
  {
    name: 'sessions rate',
    summary: 'Rate a sample of sessions yourself, without seeing their scores',
    load: () => import('./sessions/rate.ts'),
  },
  {
    name: 'sessions validate',
    summary: 'Hold Q against ratings or outcomes',
    load: () => import('./sessions/validate.ts'),
  },
  {
    name: 'sessions calibrate',
    summary: 'Fit weights to ratings or outcomes, and say what they gain on sessions they have not seen',
    load: () => import('./sessions/calibrate.ts'),
  },
  {
    name: 'sessions sources',
    summary: 'Where Assay looks for the sessions of the agents on this machine, and what is there',
    load: () => import('./sessions/sources.ts'),
  },
  {
    name: 'sessions skipped',
    summary: 'Lines and records that could not be used, per file and reason',
    load: () => import('./sessions/skipped.ts'),
  },
  {
    name: 'decomposition lint',
    summary: 'Check golden cases: counts, texts, quotes, canaries, contradictions',
    load: () => import('./decomposition/lint.ts'),
  },
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
export const DEFAULT_COMMAND = 'overview';

/** The commands whose names begin with these words. */
export function commandsBelow(words: string): readonly Entry[] {
  return COMMANDS.filter((command) => command.name.startsWith(`${words} `));
}
