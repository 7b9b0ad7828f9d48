import { encode, encodeEach } from '../../api/wire.ts';
import { lintFiles } from '../../operations/workflow/lint-files.ts';
import { lintRows, lintTable, lintView } from '../../workflow/views/lint.ts';
import { ALL_OPTION, CONFIG_OPTION, defineCommand, FORMAT_OPTION } from '../command.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'workflow lint',
  summary: 'Check ground truths, runs and experiments, and summarise them',
  positionals: { usage: 'FILE…', min: 1, max: 10_000 },
  options: {
    documents: {
      type: 'path',
      value: 'DIR',
      doc: 'The reviewed documents, to look up quotes and lines',
    },
    'min-errors': {
      type: 'number',
      min: 0,
      whole: true,
      value: 'N',
      doc: 'Warn about a ground truth with fewer errors',
    },
    mapping: {
      type: 'path',
      value: 'FILE',
      doc: 'Severities and categories of other tools (JSON or YAML)',
    },
    as: {
      type: 'choice',
      choices: ['truth', 'run'],
      doc: 'The kind of a file whose format allows both (default: detected from its content)',
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
    const { as, documents } = args.values;
    const { workflow } = (await readSettings(args, terminal)).config;
    const minErrors = args.values['min-errors'] ?? workflow.minErrors;
    const linted = lintFiles({
      paths: args.positionals,
      documents,
      mapping: args.values.mapping ?? workflow.mapping,
      minErrors: minErrors > 0 ? minErrors : undefined,
      as,
    });
    await printResult(args, terminal, {
      jsonl: async () => encodeEach((await import('../../api/schema/workflow.ts')).lintRow, lintRows(linted)),
      csv: () => lintTable(linted),
      json: async () => encode((await import('../../api/schema/workflow.ts')).workflowLint, linted),
      document: () => lintView(linted, args.values.all),
    });
    if (linted.unreadable.length > 0) return 3;
    return linted.findings.some(({ level }) => level !== 'note') ? 1 : 0;
  },
});
