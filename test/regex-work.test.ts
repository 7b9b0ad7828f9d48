import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';
import { random } from '../src/stats/random.ts';
import { attacksOn } from '../src/testing/regex-attacks.ts';
import { takesAtMost } from '../src/testing/regex-work.ts';
import { seededByRun } from '../src/testing/seed.ts';
import { production, read } from './sources.ts';

type Found = { readonly place: string; readonly regex: RegExp };

/** Slow on long texts, and given short ones only: how it begins, the most characters, and what sees to it. */
const BOUNDED: readonly (readonly [place: string, start: string, most: number, why: string])[] = [
  ['operations/hooks/hooked-agents.ts', ' hooks run ', 4_000, "a command in the user's own settings"],
  ['operations/init/inspect-folder.ts', '^(.*review.*', 255, 'a name in a folder'],
  ['report/number.ts', '\\B(?=(\\d{3})+$)', 330, 'the digits of a number'],
  ['session/fold/file-changes.ts', '^(?:package|tsconfig', 255, 'LONGEST_NAME'],
  ['session/fold/checks.ts', '^(?:gradle|gradlew)', 400, 'commands are cut to 400 characters'],
  ['session/fold/checks.ts', '^(?:mvn|mvnw|mvnd)', 400, 'commands are cut to 400 characters'],
  ['session/fold/checks.ts', '^python[\\d.]* (?:-\\S+ )*-m', 400, 'commands are cut to 400 characters'],
  ['session/fold/checks.ts', '(?:^|[:._/+-])(?:tests?', 400, 'commands are cut to 400 characters'],
  ['session/fold/corrections.ts', '^(?:(?:omfg', 200, 'OPENING'],
  ['session/fold/shell-syntax.ts', '\\b(?:ba|z)?sh(?: -', 2_000, 'MAX_READER'],
  ['session/fold/shell-syntax.ts', `('[^']*'|"`, 2_000, 'MAX_BARE'],
  ['session/fold/call-outcome.ts', '(?:^|\\n)(?:(?:\\w+\\.)*[A-Z]', 600, 'EDGE'],
  ['session/fold/shell-syntax.ts', `'[^']*'|"`, 2_000, 'MAX_BARE'],
  ['session/ingest/formats/swe-agent.ts', '\\n?(?:\\(Open file', 2_000, 'LONGEST_PROMPT'],
];

const SIZE = 3_000;
const LARGER = 4;
/** What a bounded expression may take: some milliseconds. */
const MOST_STEPS = 4_000_000;

const seed = seededByRun().bits();
const found = [
  ...production.filter((path) => /\.tsx?$/.test(path)).flatMap(literalsIn),
  ...(await assembled()),
];

it('finds the expressions of the code, also those put together from parts', () => {
  expect(found.length).toBeGreaterThan(1_000);
  expect(found.filter(({ place }) => place === 'session/fold/last-message.ts').length).toBeGreaterThan(8);
});

it('has no expression whose work grows faster than a text that anybody may send', () => {
  const slow = found
    .filter((one) => !isBounded(one))
    .flatMap(({ place, regex }) => {
      const text = attackThatGrows(regex);
      return text === undefined ? [] : [`${place}: ${regex} on ${text.slice(0, 80)}`];
    });
  expect(slow).toEqual([]);
});

it('has expressions that see short texts only where these take few steps', () => {
  for (const [place, start, most] of BOUNDED) {
    const expressions = found.filter((one) => one.place === place && one.regex.source.startsWith(start));
    expect([place, start, expressions.length]).not.toEqual([place, start, 0]);
    for (const { regex } of expressions) {
      const isQuick = takesAtMost(MOST_STEPS, regex);
      const slow = [...attacksOn(regex, most, random(seed))].filter((text) => !isQuick(text));
      expect([place, start, slow[0]]).toEqual([place, start, undefined]);
    }
  }
});

function isBounded({ place, regex }: Found): boolean {
  return BOUNDED.some(([where, start]) => where === place && regex.source.startsWith(start));
}

/** A text for which four times the characters take more than eight times the steps. */
function attackThatGrows(regex: RegExp): string | undefined {
  // Each character may be tried with each of many alternatives.
  const few = SIZE * (40 + regex.source.length / 2);
  const isQuick = takesAtMost(few, regex);
  let index = -1;
  for (const text of attacksOn(regex, SIZE, random(seed))) {
    index += 1;
    if (isQuick(text)) continue;
    let steps = few;
    while (steps < 10 * SIZE ** 2 && !takesAtMost(steps, regex)(text)) steps *= 1.2;
    const larger =
      attacksOn(regex, LARGER * SIZE, random(seed))
        .drop(index)
        .next().value ?? '';
    if (!takesAtMost(2 * LARGER * steps, regex)(larger)) return text;
  }
  return undefined;
}

function literalsIn(path: string): Found[] {
  const literals: Found[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex } = node as { type?: string; regex?: { pattern: string; flags: string } };
    if (type === 'Literal' && regex)
      literals.push({ place: path, regex: new RegExp(regex.pattern, regex.flags) });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(read(path), { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return literals;
}

/** Those that a file puts together when it is loaded: it is loaded once more, by an address of its own. */
async function assembled(): Promise<Found[]> {
  const made: Found[] = [];
  const Built = globalThis.RegExp;
  for (const path of production.filter((one) =>
    /^(?:export const|const|\]).*new RegExp\(/m.test(read(one)),
  )) {
    // What it imports is loaded by then.
    await import(/* @vite-ignore */ `../src/${path}`);
    globalThis.RegExp = new Proxy(Built, {
      construct: (Form, given) => {
        const regex = new Form(...(given as [string]));
        made.push({ place: path, regex });
        return regex;
      },
    });
    try {
      await import(/* @vite-ignore */ `../src/${path}?once-more`);
    } finally {
      globalThis.RegExp = Built;
    }
  }
  return made;
}
