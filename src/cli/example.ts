import { measureExample } from '../operations/measure-example.ts';
import { carry } from '../report/action.ts';
import { verdictDocument } from '../report/verdict-document.ts';
import { type Arguments, CONFIG_OPTION, type Command, KEEPING_OPTIONS, type Terminal } from './command.ts';
import { printRun } from './decomposition/print-run.ts';
import { ALL_OPTION, RUN_FORMAT_OPTION } from './format-options.ts';
import { givenOf } from './given.ts';
import { withPorts } from './open-ports.ts';
import { readSettings } from './settings.ts';

const OPTIONS = {
  format: RUN_FORMAT_OPTION,
  all: ALL_OPTION,
  ...KEEPING_OPTIONS,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'example',
  summary: 'Measure the bundled example and show what a result looks like',
  options: OPTIONS,
  examples: ['assay example', 'assay example --format html > report.html'],
  run: (args, terminal) => showExample(args, terminal, { keep: true }),
};

/** Whoever did not ask for the example finds nothing of it in their store. */
export async function showExample(
  args: Arguments,
  terminal: Terminal,
  { keep }: { readonly keep: boolean },
): Promise<number> {
  const { decomposition } = (await readSettings(args, terminal)).config;
  const request = { thresholds: decomposition, matchLevel: decomposition.matchLevel, keep };
  const run = await withPorts(args, terminal, (ports) => measureExample(request, ports));
  const same = carry(givenOf(args, OPTIONS), ['store', 'config']);
  const next = [
    { operation: 'metrics' },
    ...(keep ? [{ operation: 'runs', options: same }] : []),
    { operation: 'example', options: { format: 'html', ...same }, into: 'report.html' },
  ];
  await printRun(args, terminal, run, next, { document: () => verdictDocument(run.verdict, next) });
  return run.verdict.gate.exitCode;
}
