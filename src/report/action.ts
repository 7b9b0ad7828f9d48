import { plain } from './unsafe-text.ts';

/**
 * A next step as data: an operation with its arguments. A terminal prints it as a command to type; a page renders a
 * link or a button.
 */
export type Action = {
  /** The words that name the operation, e.g. `prompt promote` of an instrument: `<instrument> prompt promote`. */
  readonly operation: string;
  readonly positionals?: readonly string[];
  /** `true` is an option without a value; absent or `false` is not passed. */
  readonly options?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The file to redirect the output to. */
  readonly into?: string;
};

/** The options a person gave, without those that only repeat a default. */
export type Given = Readonly<Record<string, string | boolean>>;

/** Those of the given options that the next step needs as well: without them it would look at something else. */
export function carry(given: Given, names: readonly string[]): Record<string, string | boolean> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The action as a shell takes it. */
export function commandLine({ operation, positionals = [], options = {}, into }: Action): string {
  const named = optionWords(options);
  const plainWords = positionals.map(shellWord);
  const dashed = positionals.some((word) => word.startsWith('-') && word !== '-');
  const words = dashed ? [...named, '--', ...plainWords] : [...plainWords, ...named];
  const target = into === undefined ? '' : ` > ${shellWord(into)}`;
  return ['assay', operation, ...words].join(' ') + target;
}

/** The options as a shell takes them, word by word. */
export function optionWords(options: NonNullable<Action['options']>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    // A value that starts like an option is taken for one, unless it is joined to its name.
    const text = String(value);
    return (text.startsWith('-') && text !== '-' ? [`--${name}=${text}`] : [`--${name}`, text]).map(
      shellWord,
    );
  });
}

/** As a shell takes it for one word: a line that is copied must mean the same there. */
function shellWord(word: string): string {
  // zsh reads `=ls` as where that program is.
  if (/^(?!=)[\w./:@%+=,-]+$/.test(word)) return word;
  if (plain(word) === word) return `'${word.replaceAll("'", `'\\''`)}'`;
  // What cannot be shown is spelt out, as bash, zsh and ksh read it.
  const spelt = Array.from(word, (character) =>
    plain(character) === character ? character.replace(/[\\']/, '\\$&') : spell(character),
  );
  return `$'${spelt.join('')}'`;
}

/** Byte by byte: what a shell makes of the number of a character depends on its language. */
function spell(character: string): string {
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `\\${byte.toString(8).padStart(3, '0')}`,
  ).join('');
}
