import { parseArgs } from 'node:util';
import { AssayError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import type { Arguments, Command, Options } from './command.ts';
import { emptyPath } from './empty-path.ts';
import { optionWords, shortWords } from './option-words.ts';
import { optionsOf } from './options-of.ts';

/** Words of the command line → arguments; every word that is not understood is named, with the likely one. */
export function parseArguments(command: Command, words: readonly string[]): Arguments {
  const options = optionsOf(command);
  const fail = (message: string) =>
    new AssayError('USAGE', `assay ${command.name}: ${message}`, {
      remedy: `assay ${command.name} --help shows what it takes.`,
    });
  for (const word of shortWords(words)) {
    throw fail(`there is no option "-${word}"${didYouMean(word, Object.keys(options), '--')}`);
  }
  for (const word of optionWords(words)) {
    if (!Object.hasOwn(options, word)) {
      throw fail(`there is no option "--${word}"${didYouMean(word, Object.keys(options), '--')}`);
    }
  }
  const { values, positionals } = oneEach(parseStrictly(words, options, fail), options, fail);
  const max = command.positionals?.max ?? 0;
  if (positionals.length > max) throw fail(`"${positionals[max]}" is one word too many`);
  const empty = emptyPath(command, values, positionals);
  if (empty !== undefined) throw fail(empty);
  for (const [name, option] of Object.entries(options)) {
    const value = values[name];
    if (typeof value === 'string' && option.choices !== undefined && !option.choices.includes(value)) {
      const choices = option.choices.join(', ');
      throw fail(`--${name} is one of ${choices}, not "${value}"${didYouMean(value, option.choices)}`);
    }
  }
  return { values, positionals };
}

function parseStrictly(words: readonly string[], options: Options, fail: (message: string) => AssayError) {
  try {
    return parseArgs({
      args: [...words],
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type }]) => [name, { type, multiple: type === 'string' }]),
      ),
      allowPositionals: true,
    });
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message.replace(/\.? To specify.*$/s, '') : String(cause));
  }
}

/**
 * Every option has one value. One that is given again is refused, because dropping the first without a word would
 * measure something else; a repeatable one passes its further values on, as if they had been named after the first, and
 * a list is one value with commas.
 */
function oneEach(
  parsed: ReturnType<typeof parseStrictly>,
  options: Options,
  fail: (message: string) => AssayError,
) {
  const values: Record<string, string | boolean | undefined> = {};
  const positionals = [...parsed.positionals];
  for (const [name, option] of Object.entries(options)) {
    const given = parsed.values[name];
    if (!Array.isArray(given)) {
      values[name] = given ?? option.default;
      continue;
    }
    const [first, ...further] = option.list === true ? [given.join(',')] : given.map(String);
    if (further.length > 0 && option.repeatable !== true)
      throw fail(`--${name} was given ${given.length} times`);
    values[name] = first;
    positionals.push(...further);
  }
  return { values, positionals };
}
