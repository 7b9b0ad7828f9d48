import { encodeLint, encodeLintRows } from '../../api/encode/workflow/lint.ts';
import { AssayError } from '../../errors.ts';
import { lintFiles } from '../../operations/workflow/lint-files.ts';
import { lintDocument, lintTable } from '../../workflow/documents/lint.ts';
import { type Arguments, CONFIG_OPTION, type Command, type Terminal } from '../command.ts';
import { ALL_OPTION, FORMAT_OPTION } from '../format-options.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { textsOf } from './review-request.ts';

export const command: Command = {
  name: 'workflow lint',
  summary: 'Check ground truths, runs and experiments, and say what is in them',
  positionals: { usage: 'FILE…', max: 10_000 },
  options: {
    documents: {
      type: 'string',
      value: 'DIR',
      doc: 'The reviewed documents; quotes and lines are looked up in them',
    },
    'min-errors': { type: 'string', value: 'N', doc: 'Warn about a ground truth with fewer errors' },
    mapping: {
      type: 'string',
      value: 'FILE',
      doc: 'Severities and categories of other tools (JSON or YAML)',
    },
    as: {
      type: 'string',
      choices: ['truth', 'run'],
      doc: 'What a file is whose format holds either (default: told by its content)',
    },
    format: FORMAT_OPTION,
    all: ALL_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay workflow lint examples/workflow',
    'assay workflow lint examples/workflow/truth/webhook-relay.yaml --documents examples/workflow/documents',
    'assay workflow lint examples/workflow/truth examples/workflow/runs --format json',
  ],
  run: async (args, terminal) => {
    if (args.positionals.length === 0) {
      throw new AssayError('USAGE', 'assay workflow lint: name a ground truth, a run or an experiment');
    }
    const { as } = args.values;
    const linted = lintFiles({
      paths: args.positionals,
      ...textsOf(args, 'documents', 'mapping'),
      ...(await minErrorsOption(args, terminal)),
      ...((as === 'truth' || as === 'run') && { as }),
    });
    await printResult(args, terminal, {
      jsonl: () => encodeLintRows(linted),
      csv: () => lintTable(linted),
      json: () => encodeLint(linted),
      document: () => lintDocument(linted, args.values.all === true),
    });
    if (linted.unreadable.length > 0) return 3;
    return linted.findings.some(({ level }) => level !== 'note') ? 1 : 0;
  },
};

async function minErrorsOption(
  args: Arguments,
  terminal: Terminal,
): Promise<{ readonly minErrors?: number }> {
  const text = textOf(args, 'min-errors');
  if (text === undefined) {
    const { minErrors } = (await readSettings(args, terminal)).config.workflow;
    return minErrors > 0 ? { minErrors } : {};
  }
  const minErrors = Number(text);
  if (Number.isSafeInteger(minErrors) && minErrors >= 0) return { minErrors };
  throw new AssayError('USAGE', `assay workflow lint: --min-errors is a whole number, not "${text}"`);
}
