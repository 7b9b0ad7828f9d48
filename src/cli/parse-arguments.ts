/** Words of the command line → arguments. Every value is validated here, and an invalid one is named. */
import { parseArgs } from 'node:util';
import { AssayError } from '../errors.ts';
import type { Given } from '../report/action.ts';
import { maskLine, secretsIn } from '../secrets.ts';
import { didYouMean } from '../suggest.ts';
import {
  type Arguments,
  type Declared,
  type Option,
  type Options,
  optionsOf,
  type Value,
} from './command.ts';

type Fail = (message: string) => AssayError;

export async function parseArguments<O extends Options>(
  command: Declared<O>,
  words: readonly string[],
): Promise<Arguments<O>> {
  const options = optionsOf(command);
  const fail: Fail = (message) =>
    new AssayError('USAGE', `assay ${command.name}: ${message}`, {
      remedy: `assay ${command.name} --help lists its arguments and options.`,
    });
  refuseUnknown(words, options, fail);
  const { texts, positionals } = oneEach(parseStrictly(words, options, fail), options, fail);
  const { min = 0, max = 0, usage = '' } = command.positionals ?? {};
  if (positionals.length < min) throw fail(`needs ${usage}`);
  if (positionals.length > max) throw fail(`"${positionals[max]}" is one argument too many`);
  if (positionals.includes('')) throw fail(`the argument ${usage} is empty; is a variable not set?`);
  const values: Record<string, Value> = {};
  for (const [name, option] of Object.entries(options)) {
    const text = texts[name] ?? ('default' in option ? option.default : undefined);
    if (option.type === 'flag') values[name] = text === true;
    else if (text === undefined && 'required' in option) throw fail(`needs --${name} ${option.value}`);
    else if (text !== undefined)
      values[name] = await valueIn(name, String(text), option, texts.timezone, fail);
  }
  return { positionals, values: values as Arguments<O>['values'], given: givenOf(texts, options) };
}

/** Options are written with two dashes; a lone dash is standard input, and a number may be negative. */
function refuseUnknown(words: readonly string[], options: Options, fail: Fail): void {
  const end = words.indexOf('--');
  const typed = end === -1 ? words : words.slice(0, end);
  const unknown = (name: string, dashes: string) =>
    fail(`there is no option "${dashes}${name}"${didYouMean(name, Object.keys(options), '--')}`);
  for (const word of typed) {
    const [, dashes = '', name = ''] = /^(--?)([^=]+)/.exec(word) ?? [];
    if (dashes === '-' && /^[a-z]{2}/i.test(name)) throw unknown(name, dashes);
  }
  for (const word of typed) {
    const [, name] = /^--([^=]+)/.exec(word) ?? [];
    if (name !== undefined && !Object.hasOwn(options, name)) throw unknown(name, '--');
  }
}

function parseStrictly(words: readonly string[], options: Options, fail: Fail) {
  try {
    return parseArgs({
      args: [...words],
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type }]) => [
          name,
          type === 'flag' ? { type: 'boolean' } : { type: 'string', multiple: true },
        ]),
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
function oneEach(parsed: ReturnType<typeof parseStrictly>, options: Options, fail: Fail) {
  const texts: Record<string, string | true> = {};
  const positionals = [...parsed.positionals];
  for (const [name, option] of Object.entries(options)) {
    const given = parsed.values[name];
    if (!Array.isArray(given)) {
      if (given === true) texts[name] = true;
      continue;
    }
    const isList = option.type === 'list' || option.type === 'pairs';
    const [first, ...further] = isList ? [given.join(',')] : given.map(String);
    if (further.length > 0 && !('repeatable' in option))
      throw fail(`--${name} appears ${given.length} times`);
    if (first !== undefined) texts[name] = first;
    positionals.push(...further);
  }
  return { texts, positionals };
}

async function valueIn(
  name: string,
  text: string,
  option: Exclude<Option, { type: 'flag' }>,
  timezone: string | true | undefined,
  fail: Fail,
): Promise<Value> {
  // What a shell leaves of a variable that is not set: as a path it would be the current folder, as a name everything.
  if (text.trim() === '') throw fail(`--${name} is empty; is a variable not set?`);
  const oneOf = (word: string, choices: readonly string[]): string => {
    if (choices.includes(word)) return word;
    throw fail(`--${name} takes one of ${choices.join(', ')}, not "${word}"${didYouMean(word, choices)}`);
  };
  switch (option.type) {
    case 'text':
    case 'path':
      return text;
    case 'choice':
      return oneOf(text, option.choices);
    case 'number':
      return numberIn(text, option, (what) => fail(`--${name} is ${what}, not "${text}"`));
    case 'duration': {
      const ms = durationIn(text);
      if (ms !== undefined && ms > 0) return ms;
      throw fail(`--${name} takes a duration such as 90s, 15m, 2h or 7d, not "${text}"`);
    }
    case 'list': {
      const parts = text.split(',').map((part) => part.trim());
      if (parts.includes('')) throw fail(`--${name} has an empty part; is a variable not set?`);
      return option.choices === undefined ? parts : parts.map((part) => oneOf(part, option.choices ?? []));
    }
    case 'pairs':
      return pairsIn(name, text, option, fail);
    case 'timezone':
      return zoneIn(text, fail);
    case 'time': {
      const at = await timeIn(text, option.end === true, async () =>
        timezone === undefined ? localZone() : zoneIn(String(timezone), fail),
      );
      if (at !== undefined) return at;
      throw fail(`--${name} takes a date such as 2026-11-12, or an age such as 7d, 24h or 2w, not "${text}"`);
    }
  }
}

function numberIn(
  text: string,
  { min, max, above, whole }: Extract<Option, { type: 'number' }>,
  fail: Fail,
): number {
  const value = Number(text);
  const fits =
    Number.isFinite(value) &&
    (whole !== true || Number.isSafeInteger(value)) &&
    value >= (min ?? value) &&
    value <= (max ?? value) &&
    (above === undefined || value > above);
  if (fits) return value;
  const least = above === undefined ? min : undefined;
  const range = [
    above !== undefined && `above ${above}`,
    least !== undefined && (max === undefined ? `of at least ${least}` : `from ${least} to ${max}`),
    max !== undefined && least === undefined && `${above === undefined ? '' : 'and '}at most ${max}`,
  ].filter(Boolean);
  throw fail([whole === true ? 'a whole number' : 'a number', ...range].join(' '));
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function pairsIn(
  name: string,
  text: string,
  { keys, number, value = '' }: Extract<Option, { type: 'pairs' }>,
  fail: Fail,
): Value {
  const pairs = partsOf(text).map((part) => {
    const [key = '', ...rest] = part.split('=').map((word) => word.trim());
    const known = keys?.() ?? [key];
    if (!known.includes(key))
      throw fail(`--${name}: "${key}" is none of ${known.join(', ')}${didYouMean(key, known)}`);
    const said = rest.join('=');
    if (said === '' || (number === true && !Number.isFinite(Number(said))))
      throw fail(`--${name} takes ${value}${number === true ? ' with a number' : ''}, not "${part}"`);
    return [key, said] as const;
  });
  return number === true ? pairs.map(([key, said]) => [key, Number(said)] as const) : pairs;
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

function durationIn(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

const DAY = /^\d{4}-\d\d-\d\d$/;

async function timeIn(
  text: string,
  isEnd: boolean,
  zone: () => Promise<string>,
): Promise<number | undefined> {
  const ago = durationIn(text);
  if (ago !== undefined) return Date.now() - ago;
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || !DAY.test(text)) return Number.isNaN(at) ? undefined : at;
  const { TIME_ZONES } = await import('../operations/session/session-request.ts');
  // A day may have 23 or 25 hours.
  const day = isEnd ? new Date(at + UNIT_MS.d).toISOString().slice(0, 10) : text;
  return TIME_ZONES.startOfDay(day, await zone());
}

/** Default: the zone of this machine, as in ccusage and calendars. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

async function zoneIn(text: string, fail: Fail): Promise<string> {
  const { TIME_ZONES } = await import('../operations/session/session-request.ts');
  if (TIME_ZONES.isTimeZone(text)) return /^(utc|gmt|z)$/i.test(text) ? 'UTC' : text;
  throw fail(`--timezone: unknown zone "${text}"; use a name such as Europe/Berlin, America/New_York or UTC`);
}

/** The options on the command line, without those that repeat a default. */
function givenOf(texts: Readonly<Record<string, string | true>>, options: Options): Given {
  const typed = Object.entries(texts).flatMap(([name, text]) => {
    const option = options[name];
    const fallback = option !== undefined && 'default' in option ? option.default : undefined;
    return text === String(fallback) ? [] : [[name, name === 'command' ? withoutKeys(String(text)) : text]];
  });
  return Object.fromEntries(typed);
}

/** A report with this line in it may be passed on. */
function withoutKeys(command: string): string {
  // Once by words, once by what quotes hold together: a header has its name and its key in one.
  const words = [...command.split(/[\s'"]+/), ...command.split(/['"]/)];
  return maskLine(command, secretsIn(words, process.env));
}
