import type { Config } from '../../config.ts';
import { AssayError } from '../../errors.ts';
import { BETTER } from '../../operations/decomposition/defaults.ts';
import type { Thresholds } from '../../operations/decomposition/run-suite.ts';
import { didYouMean } from '../../suggest.ts';
import type { Arguments } from '../command.ts';
import { filledText, numberOf } from './option-values.ts';

/** The standard of the configuration, with what was named on the command line in its place. */
export function thresholdsOf(args: Arguments, { decomposition }: Config): Thresholds {
  const { gate } = decomposition;
  const out = listOf(args, 'leave-out');
  const minCases = numberOf(args, 'min-cases', { min: 1, max: 1_000_000, whole: true });
  return {
    ...decomposition,
    gate: {
      lines: { ...gate.lines, ...linesOf(args, 'min', 'higher'), ...linesOf(args, 'max', 'lower') },
      leaveOut: [...new Set([...gate.leaveOut, ...out])],
      minCases: minCases ?? gate.minCases,
    },
  };
}

function listOf(args: Arguments, name: string): string[] {
  const text = filledText(args, name);
  return text === undefined ? [] : text.split(',').map((word) => word.trim());
}

/** `concept_recall=0.8`: below it the metric fails. Of a metric where less is better only a maximum makes sense. */
function linesOf(args: Arguments, option: 'min' | 'max', better: 'higher' | 'lower'): Record<string, number> {
  return Object.fromEntries(
    listOf(args, option).map((part) => {
      const [key = '', value = '', ...more] = part.split('=').map((word) => word.trim());
      const line = Number(value);
      if (key === '' || value === '' || more.length > 0 || !Number.isFinite(line)) {
        const example = better === 'higher' ? 'concept_recall=0.8' : 'hallucination_rate=0.01';
        throw new AssayError(
          'USAGE',
          `--${option} takes a metric and its line, e.g. ${example}, not "${part}"`,
        );
      }
      const known = BETTER.get(key);
      if (known === undefined) {
        throw new AssayError(
          'USAGE',
          `--${option}: there is no metric "${key}"${didYouMean(key, [...BETTER.keys()])}`,
          {
            remedy: `It is one of ${[...BETTER.keys()].join(', ')}.`,
          },
        );
      }
      if (known === better) return [key, line];
      const other = option === 'min' ? 'max' : 'min';
      const side = known === 'lower' ? 'less' : 'more';
      throw new AssayError(
        'USAGE',
        `--${option}: of ${key} ${side} is better; use --${other} ${key}=${value}`,
      );
    }),
  );
}
