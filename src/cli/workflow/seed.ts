import { encode } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { seedByMutation, seedFromHistory } from '../../operations/workflow/seed-truth.ts';
import { seededView } from '../../workflow/views/next-steps.ts';
import { DOCUMENT_FORMAT_OPTION, defineCommand } from '../command.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'workflow seed',
  summary: 'Generate a ground truth: plant errors in copies of files, or take fixes from a git history',
  positionals: { usage: '[FILE…]', max: Number.POSITIVE_INFINITY },
  options: {
    out: {
      type: 'path',
      required: true,
      value: 'DIR',
      doc: 'The experiment to write: truth/ and documents/',
    },
    history: {
      type: 'path',
      value: 'REPOSITORY',
      doc: 'Take fix commits of this repository instead of files',
    },
    task: { type: 'text', value: 'NAME', default: 'seeded', doc: 'The name of the task' },
    seed: {
      type: 'number',
      min: 0,
      max: 4_294_967_295,
      whole: true,
      value: 'N',
      default: 1,
      doc: 'Random seed; another number plants other errors',
    },
    errors: {
      type: 'number',
      min: 1,
      max: 1000,
      whole: true,
      value: 'N',
      default: 24,
      doc: 'Maximum number of errors to plant',
    },
    tasks: {
      type: 'number',
      min: 1,
      max: 500,
      whole: true,
      value: 'N',
      default: 10,
      doc: 'With --history: maximum number of fixes',
    },
    format: DOCUMENT_FORMAT_OPTION,
  },
  examples: [
    'assay workflow seed src/ --out experiment --seed 7',
    'assay workflow seed --history . --out experiment --tasks 20',
  ],
  notes: [
    'Planted errors: off by one, inverted condition, removed check, swapped arguments, leaked resource, missing await, wrong connective. Every copy is parsed again.',
    'Ground truths are drafts with guessed categories and severities. Never overwrites a file.',
  ],
  run: async (args, terminal) => {
    const { out: folder, history, task, seed, errors, tasks } = args.values;
    if ((history === undefined) === (args.positionals.length === 0))
      throw new AssayError('USAGE', 'assay workflow seed needs files, or --history with a repository', {
        remedy: 'E.g. assay workflow seed src/ --out experiment.',
      });
    const seeded =
      history === undefined
        ? seedByMutation({ files: args.positionals, folder, task, seed, errors })
        : await seedFromHistory({ repository: history, folder, tasks, environment: terminal.env });
    await printResult(args, terminal, {
      document: () => seededView(seeded),
      json: async () => encode((await import('../../api/schema/workflow.ts')).seededTruths, seeded),
    });
    return 0;
  },
});
