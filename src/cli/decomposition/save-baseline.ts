import { relative } from 'node:path';
import { gapsOf, writeBaseline } from '../../decomposition/baseline.ts';
import type { Document } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import type { Arguments, Terminal } from '../command.ts';
import { type MeasuredRun, measureRun } from './measure-run.ts';
import { compareAgain, measureAgain } from './next-commands.ts';
import { printRun } from './print-run.ts';

/**
 * Measures and keeps. What is kept need not pass the gate: the point of a baseline is to start from where things are.
 * A run with gaps, or one in which nothing was measured, is not kept and ends as the gate says.
 */
export async function saveBaseline(args: Arguments, terminal: Terminal, path: string): Promise<number> {
  const run = await measureRun(args, terminal, {
    next: [
      compareAgain(args, terminal, path),
      measureAgain(args, 'run', '--format', 'html', '--out', 'report.html'),
    ],
  });
  const { exitCode } = run.verdict.gate;
  const json = run.json();
  const gaps = gapsOf(json);
  if (gaps.length > 0 || exitCode === 3 || json.cases.length === 0) {
    await printRun(args, terminal, run);
    terminal.note(`The baseline was not written: ${whyNot(gaps)}.\n`);
    return exitCode === 0 ? 2 : exitCode;
  }
  await writeBaseline(path, json);
  await printRun(args, terminal, { ...run, json: () => ({ baseline: path, ...json }) }, (document) =>
    baselineDocument(document, run, relative(terminal.cwd, path)),
  );
  return 0;
}

function whyNot(gaps: readonly string[]): string {
  return gaps.length === 0
    ? 'nothing was measured'
    : `${formatAmount(gaps.length, 'case')} could not be measured (${gaps.slice(0, 5).join(', ')}${gaps.length > 5 ? ', …' : ''})`;
}

/** The gate is not asked here; what it would say is told all the same. */
function baselineDocument(
  { verdict: _, ...document }: Document,
  { verdict }: MeasuredRun,
  path: string,
): Document {
  const { gate, validity } = verdict;
  return {
    ...document,
    answer: `Saved as the baseline in ${path}: ${formatAmount(validity.cases, 'case')} of ${verdict.subject}. As a run it would be ${gate.verdict}${gate.reasons.length === 0 ? '' : `: ${gate.reasons.slice(0, 2).join('; ')}`}.`,
  };
}
