import { gzipSync } from 'node:zlib';
import { AssayError } from '../../errors.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import { RUNS_TO_CONFIRM } from '../../workflow/reports/confirmed-findings.ts';
import { type ExaminedArm, workflowsOf } from '../../workflow/reports/examined-arm.ts';
import {
  RESULTS_PER_RUN,
  RUNS_PER_FILE,
  type SarifExport,
  sarifExport,
} from '../../workflow/reports/sarif.ts';
import type { Command } from '../command.ts';
import { writeResult } from '../write-result.ts';
import { ARMS_OPTIONS, ARMS_USAGE, readArms } from './examined-arms.ts';
import { textOf } from './options.ts';

export const command: Command = {
  name: 'workflow export',
  summary: 'Write the confirmed findings of a workflow as SARIF: right, and in more than half of the runs',
  positionals: { usage: ARMS_USAGE, max: Number.POSITIVE_INFINITY },
  options: {
    ...ARMS_OPTIONS,
    task: { type: 'string', value: 'NAME', doc: 'Only this task' },
    format: { type: 'string', choices: ['sarif'], default: 'sarif', doc: 'The format of the file' },
    out: { type: 'string', value: 'FILE', doc: 'Write it there instead of printing it' },
  },
  examples: [
    'assay workflow export examples/workflow --workflow review-2 --out findings.sarif',
    'assay workflow export examples/workflow --workflow review-1 --out findings.sarif',
  ],
  notes: [
    'A finding is confirmed when it matches a known error or somebody labelled it valid, and more than half of the runs have it.',
    'Exit codes: 0 written, also when no finding is confirmed; 2 too few runs to confirm anything, nothing is written; 3 could not run.',
  ],
  run: async (args, terminal) => {
    const { arms: all } = readArms(args, 'workflow export');
    const task = textOf(args, 'task');
    const arms = oneTool(task === undefined ? all : all.filter((arm) => arm.task === task));
    const repeated = arms.filter(({ runs }) => runs.length >= RUNS_TO_CONFIRM);
    for (const arm of arms.filter((one) => !repeated.includes(one))) {
      terminal.note(
        `${arm.workflow} on ${arm.task}: ${formatAmount(arm.runs.length, 'run')} confirms nothing, ${RUNS_TO_CONFIRM} are needed.`,
      );
    }
    if (repeated.length === 0) return 2;
    const { text, exported } = fitting(repeated);
    const out = textOf(args, 'out');
    if (out === undefined) terminal.print(text);
    else writeResult(out, text);
    for (const note of notesOf(exported, out)) terminal.note(note);
    return 0;
  },
};

/** The workflow is the tool of the file, and GitHub takes up to twenty tasks of it. */
function oneTool(arms: readonly ExaminedArm[]): readonly ExaminedArm[] {
  const names = workflowsOf(arms);
  if (names.length > 1) {
    throw new AssayError('USAGE', `the runs are of ${names.length} workflows: ${names.join(', ')}`, {
      remedy: 'Choose one with --workflow NAME.',
    });
  }
  if (arms.length === 0) throw new AssayError('USAGE', 'no run is of that task');
  if (arms.length > RUNS_PER_FILE) {
    throw new AssayError(
      'USAGE',
      `${arms.length} tasks are more than the ${RUNS_PER_FILE} runs that one SARIF file may hold`,
      { remedy: 'Write one file per task with --task NAME.' },
    );
  }
  return arms;
}

/** What GitHub takes, compressed. */
const MAX_GZIP_BYTES = 10_000_000;

/** As many of the most severe findings as fit. */
function fitting(arms: readonly ExaminedArm[]): { text: string; exported: SarifExport } {
  for (let limit = RESULTS_PER_RUN; ; limit = Math.floor(limit * 0.7)) {
    const exported = sarifExport(arms, limit);
    const text = `${escapeJson(JSON.stringify(exported.log, null, 2))}\n`;
    if (limit === 0 || gzipSync(text).length <= MAX_GZIP_BYTES) return { text, exported };
  }
}

function notesOf(
  { results, withoutFile, beyondLimit, withoutSeverity }: SarifExport,
  out?: string,
): string[] {
  return [
    `${formatAmount(results, 'confirmed finding')}${out === undefined ? '' : ` written to ${out}`}.`,
    ...(withoutFile > 0
      ? [
          `${formatCount(withoutFile)} more name no file and were left out; GitHub refuses results without one.`,
        ]
      : []),
    ...(beyondLimit > 0
      ? [`${formatCount(beyondLimit)} more, the least severe, were left out to stay within GitHub's limits.`]
      : []),
    ...(withoutSeverity > 0
      ? [`${formatAmount(withoutSeverity, 'finding')} without a severity became warnings.`]
      : []),
  ];
}
