/** What to do about an error, to people and on the wire. */
import type { AssayError, WayOut } from '../errors.ts';
import { commandLine, optionWords } from './action.ts';

/** Steps become commands that work as printed; options are named as they are typed. */
export function remedyText({ ways, remedy }: AssayError): string {
  if (ways.length === 0) return remedy;
  const text = ways.map(wayText).join('; or ');
  const [last] = ways.slice(-1);
  if (last?.list !== undefined) return `${text}:`;
  return last?.step === undefined && last?.options === undefined ? `${text}.` : text;
}

/** For whoever asked a server: a step is a command there, too, but there are no options to add to what was asked. */
export function askersRemedy({ ways, remedy }: AssayError): string {
  if (!ways.some(({ step }) => step !== undefined)) return remedy;
  const text = ways
    .map(({ say, step }) => wayText(step === undefined ? { say } : { say, step }))
    .join('; or ');
  return ways.at(-1)?.step === undefined ? `${text}.` : text;
}

function wayText({ say, step, options }: WayOut): string {
  if (step !== undefined) return `${say}: ${commandLine(step)}`;
  return options === undefined ? say : `${say}: ${optionWords(options).join(' ')}`;
}
