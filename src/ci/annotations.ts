/** Remarks as GitHub reads them from the output of a step. What they quote cannot end the line or begin another command. */
import { plain } from '../report/unsafe-text.ts';
import type { CaseRemark } from './remarks.ts';

/** GitHub shows ten of each kind for a step. */
const MOST = 10;

/** `fault`: what is wrong with the whole. */
export function annotations(remarks: readonly CaseRemark[], fault?: string): string[] {
  const shown = remarks.slice(0, MOST);
  const more = remarks.length - shown.length;
  return [
    ...(fault === undefined ? [] : [command('error', {}, fault)]),
    ...shown.map(({ level, rule, message, path, line }) =>
      command(level, { file: path, line: String(line), title: rule }, message),
    ),
    ...(more > 0 ? [command('notice', {}, `${more} more; the job summary has all of them`)] : []),
  ];
}

function command(kind: string, properties: Readonly<Record<string, string>>, message: string): string {
  const words = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  return `::${kind}${words.length === 0 ? '' : ` ${words.join(',')}`}::${data(message)}`;
}

function data(text: string): string {
  return plain(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
