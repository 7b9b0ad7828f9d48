import { AssayError } from '../../errors.ts';
import { formatAmount } from '../../report/number.ts';
import { startSession } from '../../workflow/blind/folder.ts';
import { freeze } from '../../workflow/blind/material.ts';
import { readRuns } from '../../workflow/ingest/collect-runs.ts';
import { readTruth } from '../../workflow/ingest/import-truth.ts';
import { readDocuments } from '../../workflow/ingest/read-documents.ts';
import { examineRun } from '../../workflow/match/examine-run.ts';
import type { Arguments, Command } from '../command.ts';
import { BY_OPTION, namesOf, whoOf } from './blind-options.ts';
import { expand } from './options.ts';
import { shellWord } from './shell-word.ts';

export const command: Command = {
  name: 'workflow blind start',
  summary: 'Begin a blind evaluation: findings are frozen, the ground truth is sealed',
  positionals: { usage: '[RUN…]', max: Number.POSITIVE_INFINITY },
  options: {
    truth: {
      type: 'string',
      value: 'FILE',
      doc: 'The ground truth: JSON, YAML, Markdown, or what another tool writes',
    },
    runs: {
      type: 'string',
      value: 'PATH…',
      repeatable: true,
      doc: 'Run files or folders with the findings to evaluate',
    },
    documents: {
      type: 'string',
      value: 'FOLDER',
      doc: 'The reviewed documents, so that quotes are looked up in them',
    },
    out: { type: 'string', value: 'FOLDER', default: 'blind', doc: 'Folder of the evaluation' },
    evaluators: {
      type: 'string',
      value: 'NAMES',
      doc: 'Who will evaluate (ada,bob): the results stay closed until all of them are done',
    },
    ...BY_OPTION,
  },
  examples: [
    'assay workflow blind start --truth examples/workflow/truth/webhook-relay.yaml --runs examples/workflow/runs --out blind --evaluators ada,bob',
  ],
  run: async (args, terminal) => {
    const truth = readTruth(need(args, 'truth'));
    // A report of another tool names no task.
    const runs = readRuns(expand([need(args, 'runs'), ...args.positionals]), { task: truth.task });
    const folder = String(args.values.out);
    const { documents } = args.values;
    const options = typeof documents === 'string' ? { documents: readDocuments(documents) } : {};
    const material = freeze(truth, runs, (against, run) => examineRun(against, run, options));
    const evaluators = namesOf(args, 'evaluators');
    const { hash } = startSession(folder, material, whoOf(args, terminal), { evaluators });
    terminal.print(
      [
        `Blind evaluation in ${folder}: ${formatAmount(material.findings.length, 'finding')} of ${formatAmount(runs.length, 'run')} against ${formatAmount(truth.errors.length, 'error')}.`,
        `  Ground truth ${truth.hash.slice(0, 12)}, sealed until every finding is assessed.`,
        `  Receipt 1:${hash}`,
        '',
        'Keep evaluators away from the ground truth and the run files; they need only',
        'this folder.',
        `Next: assay workflow blind assess ${shellWord(folder)} --by ${shellWord(evaluators[0] ?? 'NAME')}`,
        '',
      ].join('\n'),
    );
    return 0;
  },
};

function need({ values }: Arguments, name: string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw new AssayError(
    'USAGE',
    `assay workflow blind start needs --truth FILE and --runs PATH; --${name} is missing`,
  );
}
