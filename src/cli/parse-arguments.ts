import { parseArgs } from 'node:util';
import { AssayError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import type { Arguments, Command, Options } from './command.ts';

/** Words of the command line → arguments; every word that is not understood is named, with the likely one. */
export function parseArguments(command: Command, words: readonly string[], global: Options): Arguments {
  const options: Options = { ...command.options, ...global };
  const fail = (message: string) =>
    new AssayError('USAGE', `assay ${command.name}: ${message}`, {
      remedy: `assay ${command.name} --help shows what it takes.`,
    });
  for (const word of optionWords(words)) {
    if (!Object.hasOwn(options, word)) {
      throw fail(`there is no option "--${word}"${didYouMean(word, Object.keys(options))}`);
    }
  }
  const { values, positionals } = parseStrictly(words, options, fail);
  const max = command.positionals?.max ?? 0;
  if (positionals.length > max) throw fail(`"${positionals[max]}" is one word too many`);
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
        Object.entries(options).map(([name, { type, default: fallback }]) => [
          name,
          { type, ...(fallback !== undefined && { default: fallback }) },
        ]),
      ),
      allowPositionals: true,
    });
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message.replace(/\.? To specify.*$/s, '') : String(cause));
  }
}

/** Names of the long options among the words, up to `--`. */
function optionWords(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end))
    .filter((word) => /^--./.test(word))
    .map((word) => word.slice(2).split('=', 1)[0] ?? '');
}
