import type { Command } from './command.ts';

export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
};

/** Every command with one line about it. Its file is loaded only when it is used; a test holds the summaries equal. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'overview',
    summary: 'Score the agent sessions on this machine, or show an example of everything when there are none',
    load: () => import('./overview.ts'),
  },
  {
    name: 'sessions list',
    summary: 'Your sessions, one line each: when, where, what was asked, how good, for how much, and why',
    load: () => import('./sessions/list.ts'),
  },
  {
    name: 'init',
    summary: 'Set up a project: a commented configuration, a first golden case or ground truth, a CI step',
    load: () => import('./init.ts'),
  },
  {
    name: 'sessions score',
    summary: 'Score agent sessions: what they did, how well, for how much',
    load: () => import('./sessions/score.ts'),
  },
  {
    name: 'sessions watch',
    summary: 'Score sessions while agents are at work, and say when one starts, changes and ends',
    load: () => import('./sessions/watch.ts'),
  },
  {
    name: 'sessions status-line',
    summary: 'Q so far, cost and what weighs on it, from what Claude Code says on standard input',
    load: () => import('./sessions/status-line.ts'),
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
    summary: 'What happened in the last day, week or so, and what changed since the time before',
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
    name: 'route',
    summary: 'Which model should take which kind of work, from what each gave and cost',
    load: () => import('./route.ts'),
  },
  {
    name: 'sessions rescore',
    summary: 'Score again what the store remembers, with this version or with other weights',
    load: () => import('./sessions/rescore.ts'),
  },
  {
    name: 'sessions send',
    summary: 'Give the scores of sessions in the store to Langfuse, Phoenix or a collector of OpenTelemetry',
    load: () => import('./sessions/send.ts'),
  },
  {
    name: 'sessions intents train',
    summary: 'Learn kinds of work from your own labels, and say whether that beats the rules',
    load: () => import('./sessions/intents-train.ts'),
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
    name: 'sessions judge',
    summary: 'Let a model rate sessions from a short digest, blind to Q and beside it',
    load: () => import('./sessions/judge.ts'),
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
    name: 'sessions outcomes',
    summary: 'What became of the work: committed, merged, still there a week later, or thrown out',
    load: () => import('./sessions/outcomes.ts'),
  },
  {
    name: 'sessions sources',
    summary:
      'Where Assay looks for the sessions of agents on this machine, what is there, and what it can show',
    load: () => import('./sessions/sources.ts'),
  },
  {
    name: 'sessions skipped',
    summary: 'Lines and records that could not be used, per file and reason',
    load: () => import('./sessions/skipped.ts'),
  },
  {
    name: 'decomposition new',
    summary: 'Draft a golden case from a text: concepts, relationships and canaries to correct',
    load: () => import('./decomposition/new.ts'),
  },
  {
    name: 'decomposition lint',
    summary: 'Check golden cases: counts, texts, quotes, canaries, contradictions',
    load: () => import('./decomposition/lint.ts'),
  },
  {
    name: 'decomposition extract',
    summary: 'Extract concepts and relationships from texts, with a model, a program or offline',
    load: () => import('./decomposition/extract.ts'),
  },
  {
    name: 'decomposition run',
    summary: 'Measure extracted concepts and relationships against the golden cases, and gate on it',
    load: () => import('./decomposition/run.ts'),
  },
  {
    name: 'decomposition baseline',
    summary: 'Measure the golden cases and keep the result, to compare later runs with',
    load: () => import('./decomposition/baseline.ts'),
  },
  {
    name: 'decomposition compare',
    summary: 'What changed since the baseline, case by case, and whether it may go on',
    load: () => import('./decomposition/compare.ts'),
  },
  {
    name: 'decomposition investigate',
    summary: 'Why a case fails: what was missed, invented, confused or misquoted, and what to try',
    load: () => import('./decomposition/investigate.ts'),
  },
  {
    name: 'decomposition trend',
    summary: 'How the metrics moved from run to run or week to week, and what keeps falling',
    load: () => import('./decomposition/trend.ts'),
  },
  {
    name: 'decomposition prompt list',
    summary: 'Every version of every prompt, which one is in force, and whether its file is as recorded',
    load: () => import('./decomposition/prompt-list.ts'),
  },
  {
    name: 'decomposition prompt new',
    summary: 'Start the next version of a prompt from the one in force, with its CHANGELOG entry',
    load: () => import('./decomposition/prompt-new.ts'),
  },
  {
    name: 'decomposition prompt diff',
    summary: 'What changed between two versions of a prompt',
    load: () => import('./decomposition/prompt-diff.ts'),
  },
  {
    name: 'decomposition prompt promote',
    summary: 'Decide whether a version of a prompt comes into force: promote, hold or reject',
    load: () => import('./decomposition/prompt-promote.ts'),
  },
  {
    name: 'decomposition prompt rollback',
    summary: 'Put a version of a prompt back in force that was in force before; nothing is deleted',
    load: () => import('./decomposition/prompt-rollback.ts'),
  },
  {
    name: 'production status',
    summary: 'How a decomposition service does in production: its targets, its sample, by version and time',
    load: () => import('./production/status.ts'),
  },
  {
    name: 'production rate',
    summary:
      'Rate sampled requests of production: acceptable or not, and which concepts are wrong or made up',
    load: () => import('./production/rate.ts'),
  },
  {
    name: 'brief',
    summary: 'Look back at a week, a month or a quarter of production: what to review, and what follows',
    load: () => import('./brief.ts'),
  },
  {
    name: 'production ab start',
    summary: 'Start to compare two versions of a prompt on live requests',
    load: () => import('./production/ab-start.ts'),
  },
  {
    name: 'production ab status',
    summary: 'What experiments in production say so far; look as often as you like',
    load: () => import('./production/ab-status.ts'),
  },
  {
    name: 'production ab stop',
    summary: 'End an experiment in production; what it found is kept in the ledger of the prompts',
    load: () => import('./production/ab-stop.ts'),
  },
  {
    name: 'workflow new',
    summary: 'Draft a ground truth from a review: its findings as errors to correct',
    load: () => import('./workflow/new.ts'),
  },
  {
    name: 'workflow lint',
    summary: 'Check ground truths, runs and experiments, and say what is in them',
    load: () => import('./workflow/lint.ts'),
  },
  {
    name: 'workflow score',
    summary: 'Score the runs of a review against a ground truth: what it finds, how well, how steadily',
    load: () => import('./workflow/score.ts'),
  },
  {
    name: 'workflow compare',
    summary: 'Is the new version of a review better, or is the difference noise?',
    load: () => import('./workflow/compare.ts'),
  },
  {
    name: 'workflow report',
    summary:
      'A whole experiment: scores side by side, errors across runs, what to fix next, what may be claimed',
    load: () => import('./workflow/report.ts'),
  },
  {
    name: 'workflow leaderboard',
    summary:
      'Workflows over all tasks, one row each: F1 with its interval, and which of them can be told apart',
    load: () => import('./workflow/leaderboard.ts'),
  },
  {
    name: 'workflow heatmap',
    summary: 'Which kinds of error each workflow finds, and where it is blind',
    load: () => import('./workflow/heatmap.ts'),
  },
  {
    name: 'workflow history',
    summary: 'How the scores of workflows moved over time, and what keeps falling',
    load: () => import('./workflow/history.ts'),
  },
  {
    name: 'workflow export',
    summary: 'Write the confirmed findings of a workflow as SARIF: right, and in more than half of the runs',
    load: () => import('./workflow/export.ts'),
  },
  {
    name: 'workflow blind start',
    summary: 'Begin a blind evaluation: findings are frozen, the ground truth is sealed',
    load: () => import('./workflow/blind-start.ts'),
  },
  {
    name: 'workflow blind assess',
    summary: 'Step 1 of a blind evaluation: say what each finding is, before seeing the ground truth',
    load: () => import('./workflow/blind-assess.ts'),
  },
  {
    name: 'workflow blind predict',
    summary: 'Step 2 of a blind evaluation: see the known errors and say which the review will have caught',
    load: () => import('./workflow/blind-predict.ts'),
  },
  {
    name: 'workflow blind match',
    summary:
      'Step 3 of a blind evaluation: match findings to known errors by objective criteria, with reasons',
    load: () => import('./workflow/blind-match.ts'),
  },
  {
    name: 'workflow blind check',
    summary: 'Step 4 of a blind evaluation: agreement, calibration and signs of bias; opens the results',
    load: () => import('./workflow/blind-check.ts'),
  },
  {
    name: 'workflow blind status',
    summary: 'Who is at which step of a blind evaluation, and what is missing; no answers are shown',
    load: () => import('./workflow/blind-status.ts'),
  },
  {
    name: 'workflow blind verify',
    summary:
      'Check the hash chain of a blind evaluation: the first entry that was altered, removed or inserted',
    load: () => import('./workflow/blind-verify.ts'),
  },
  {
    name: 'workflow blind export',
    summary: 'Write the final labels of a blind evaluation as run files for scoring',
    load: () => import('./workflow/blind-export.ts'),
  },
  {
    name: 'example',
    summary:
      'Measure a bundled example and show what a result looks like: decomposition, workflow, sessions or production',
    load: () => import('./example.ts'),
  },
  {
    name: 'open',
    summary: 'Open a report in the browser, or the sessions of this machine as a page',
    load: () => import('./open.ts'),
  },
  {
    name: 'mcp',
    summary: 'Answer an agent or an editor by the Model Context Protocol, on standard input and output',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'serve',
    summary: 'Open the dashboard and the HTTP API on this machine',
    load: () => import('./serve.ts'),
  },
  {
    name: 'production check',
    summary:
      'Look at the alert rules of production once, fire and resolve alerts, and tell who is to be told',
    load: () => import('./production/check.ts'),
  },
  {
    name: 'alerts list',
    summary: 'What deserves attention and what became of it, newest first',
    load: () => import('./alerts/list.ts'),
  },
  {
    name: 'alerts show',
    summary: 'One alert, and everything that became of it',
    load: () => import('./alerts/show.ts'),
  },
  {
    name: 'alerts acknowledge',
    summary: 'Say that you have seen an alert and look after it',
    load: () => import('./alerts/acknowledge.ts'),
  },
  {
    name: 'alerts silence',
    summary: 'Hear nothing of an alert for a while, also where its condition goes and comes back',
    load: () => import('./alerts/silence.ts'),
  },
  {
    name: 'alerts resolve',
    summary: 'Say that an alert is dealt with',
    load: () => import('./alerts/resolve.ts'),
  },
  {
    name: 'alerts reopen',
    summary: 'Open an alert again that was resolved, acknowledged or silenced',
    load: () => import('./alerts/reopen.ts'),
  },
  {
    name: 'audit list',
    summary: 'Who wrote, approved and deleted what, and how tokens were made, used, refused and revoked',
    load: () => import('./audit/list.ts'),
  },
  {
    name: 'audit verify',
    summary: 'Is the audit log as it was written? Each entry names the one before it',
    load: () => import('./audit/verify.ts'),
  },
  {
    name: 'token create',
    summary: 'Make a token that lets others ask a server; it is shown once',
    load: () => import('./token/create.ts'),
  },
  {
    name: 'token list',
    summary: 'The tokens of your servers: what they allow and until when, never the tokens themselves',
    load: () => import('./token/list.ts'),
  },
  {
    name: 'token revoke',
    summary: 'Take a token back, by its id or its label; a running server refuses it from then on',
    load: () => import('./token/revoke.ts'),
  },
  {
    name: 'completion',
    summary: 'Print the script that completes commands and options in bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
  { name: 'metrics', summary: 'List every metric, or explain one', load: () => import('./metrics.ts') },
  {
    name: 'schema',
    summary: 'List the JSON Schemas of our files and answers, or print one for an editor or a validator',
    load: () => import('./schema.ts'),
  },
  { name: 'runs', summary: 'List the runs in the store, or show one', load: () => import('./runs.ts') },
  {
    name: 'export',
    summary: 'Write everything a store has as tables, for DuckDB, pandas or a spreadsheet',
    load: () => import('./export.ts'),
  },
  {
    name: 'store status',
    summary: 'What a store holds: how much of each kind, since when, its schema, and what was deleted last',
    load: () => import('./store/status.ts'),
  },
  {
    name: 'store migrate',
    summary: 'Bring a store to the schema of this version, or make it, and say what was done',
    load: () => import('./store/migrate.ts'),
  },
  {
    name: 'store check',
    summary: 'Look at everything a store holds, and name what is damaged or missing',
    load: () => import('./store/check.ts'),
  },
  {
    name: 'store copy',
    summary: 'Copy everything from one store into another, and verify it by counts and checksums',
    load: () => import('./store/copy.ts'),
  },
  {
    name: 'store prune',
    summary: 'Delete what is older than it is to be kept, by kind; without --yes only say what would go',
    load: () => import('./store/prune.ts'),
  },
  {
    name: 'config',
    summary: 'Show every setting, its value and where it comes from',
    load: () => import('./config.ts'),
  },
  {
    name: 'ci report',
    summary:
      'Tell a pull or merge request what a run came to: a comment kept up to date, a summary, annotations',
    load: () => import('./ci/report.ts'),
  },
  {
    name: 'hooks install',
    summary: 'Let an agent say when a session has ended, and show Q in its status line',
    load: () => import('./hooks/install.ts'),
  },
  {
    name: 'hooks remove',
    summary: 'Take the hooks out again, and put back what was there before',
    load: () => import('./hooks/remove.ts'),
  },
  {
    name: 'hooks run',
    summary: 'What the hooks of agents call: a session went on, or has ended',
    load: () => import('./hooks/run.ts'),
  },
];

/** What `assay` does without a command. */
export const DEFAULT_COMMAND = 'overview';

/** The commands whose names begin with these words. */
export function commandsBelow(words: string): readonly CommandEntry[] {
  return COMMANDS.filter((command) => command.name.startsWith(`${words} `));
}
