/** The words that choose metrics and their lines. */
import { AssayError } from '../../errors.ts';
import { CHOICES } from '../../operations/workflow/choices.ts';
import { didYouMean } from '../../suggest.ts';
import type { Minimums } from '../../workflow/policy.ts';
import type { Arguments, Terminal } from '../command.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';

export function metricOption(option: string, key: string, keys: readonly string[]): string {
  if (keys.includes(key)) return key;
  throw new AssayError('USAGE', `--${option}: there is no metric "${key}"${didYouMean(key, keys)}`, {
    remedy: `It is one of ${keys.join(', ')}.`,
  });
}

/** Those of the configuration, with what was named on the command line in their place. */
export async function minimumsOption(args: Arguments, terminal: Terminal): Promise<Minimums> {
  const { config } = await readSettings(args, terminal);
  const keys = CHOICES.gateable();
  const text = textOf(args, 'min');
  const configured = Object.entries(config.workflow.minimums).map(([key, least]) => [key, String(least)]);
  const typed = text === undefined ? [] : text.split(',').map((part) => part.split('='));
  return new Map(
    [...configured, ...typed].map((part) => {
      const [name = '', value = ''] = part.map((word) => word.trim());
      const key = metricOption('min', name, keys);
      if (value === '' || !Number.isFinite(Number(value))) {
        throw new AssayError('USAGE', `--min: ${key} needs a number, e.g. ${key}=60`);
      }
      const fault = CHOICES.minimumFault(key, Number(value));
      if (fault !== undefined)
        throw new AssayError('USAGE', `--min: ${fault.message}`, { remedy: fault.remedy });
      return [key, Number(value)] as const;
    }),
  );
}
