/** Plants well-known errors into source text: one line each, with its final location. */
import type { Random } from '../stats/random.ts';
import type { Severity } from './truth.ts';

/** Ground truths generated from planted errors. */
export type SeededTruths = {
  readonly folder: string;
  readonly tasks: readonly { readonly task: string; readonly truth: string; readonly errors: number }[];
  /** Files whose language cannot be checked here. */
  readonly skipped: readonly string[];
};

export type Language = 'script' | 'python' | 'go';

/** By file suffix; other languages are not supported. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'] as const).map((suffix) => [suffix, 'script'] as const),
  ['.py', 'python'],
  ['.go', 'go'],
]);

/** The new content of a line; `undefined` removes the line. */
type Change = { readonly line: string | undefined };

type Operator = {
  readonly name: string;
  readonly category: string;
  readonly severity: Severity;
  readonly what: string;
  readonly apply: (line: string, language: Language) => Change | undefined;
};

function replaced(line: string, pattern: RegExp, by: string): Change | undefined {
  const changed = line.replace(pattern, by);
  return changed === line ? undefined : { line: changed };
}

const OPERATORS: readonly Operator[] = [
  {
    name: 'off-by-one',
    category: 'EDGE',
    severity: 'IMPORTANT',
    what: 'a bound is off by one',
    apply: (line) => {
      if (!/\b(?:for|while|if)\b/.test(line)) return undefined;
      const operator = / (<=?|>=?) /.exec(line)?.[1];
      if (operator === undefined) return undefined;
      const other = operator.endsWith('=') ? operator.slice(0, 1) : `${operator}=`;
      return { line: line.replace(` ${operator} `, ` ${other} `) };
    },
  },
  {
    name: 'inverted-condition',
    category: 'CONFLICT',
    severity: 'CRITICAL',
    what: 'a condition is the opposite of what it should be',
    apply: (line, language) => {
      if (language === 'python')
        return replaced(line, /^(\s{0,80}(?:el)?if )(?!not )([^:#]{1,200}):\s{0,9}$/, '$1not ($2):');
      if (language === 'go') return replaced(line, /^(\s{0,80}if )([^;{]{1,200}) \{$/, '$1!($2) {');
      return replaced(line, /^(\s{0,80}(?:\} else )?if \()([^()]{1,200})(\)[^)]{0,200})$/, '$1!($2)$3');
    },
  },
  {
    name: 'removed-check',
    category: 'SKIP',
    severity: 'CRITICAL',
    what: 'an early exit check is missing',
    apply: (line) =>
      /^\s{0,80}if \(.{1,200}\) (?:return|throw|continue|break)\b[^{}]{0,200};\s{0,9}$/.test(line)
        ? { line: undefined }
        : undefined,
  },
  {
    name: 'swapped-arguments',
    category: 'INTEGRATE',
    severity: 'IMPORTANT',
    what: 'two arguments of a call are in the wrong order',
    apply: (line) => {
      if (/\b(?:function|def|func|class|for|if|while|catch|switch)\b|=>|\{\s{0,9}$/.test(line))
        return undefined;
      const [call, name, one, other] =
        /\b([A-Za-z_]\w{0,60})\(([a-z_]\w{0,60}), ([a-z_]\w{0,60})\)/.exec(line) ?? [];
      return call === undefined || one === other
        ? undefined
        : { line: line.replace(call, `${name}(${other}, ${one})`) };
    },
  },
  {
    name: 'leaked-resource',
    category: 'PERF',
    severity: 'IMPORTANT',
    what: 'a resource is never given back',
    apply: (line) =>
      /^\s{0,80}(?:await |defer )?[\w.]{1,100}\.(?:close|release|unlock|destroy|dispose|unsubscribe|Close|Unlock)\(\);?\s{0,9}$/.test(
        line,
      )
        ? { line: undefined }
        : undefined,
  },
  {
    name: 'missing-await',
    category: 'ASSUME',
    severity: 'IMPORTANT',
    what: 'a result is used before it is available',
    apply: (line) => replaced(line, /\bawait (?=[\w.]{1,100}\()/, ''),
  },
  {
    name: 'wrong-connective',
    category: 'CONFLICT',
    severity: 'IMPORTANT',
    what: 'two conditions are joined the wrong way',
    apply: (line, language) =>
      language === 'python'
        ? replaced(line, /^(\s{0,80}(?:el)?if [^#'"]{1,200}) and /, '$1 or ')
        : replaced(line, /^([^'"`/]{1,200}) && /, '$1 || '),
  },
];

export type Planted = {
  readonly operator: Operator;
  /** Line numbers in the changed text. */
  readonly lines: readonly [from: number, to: number];
  readonly quote: string;
};

/** Two errors closer than this would be indistinguishable. */
const LEAST_APART = 12;

/**
 * Plants as many errors as fit, at most `most`. `parses` rejects changes that break the program. The same text, seed
 * and operators give the same errors.
 */
export function plantErrors(
  text: string,
  language: Language,
  most: number,
  source: Random,
  parses: (text: string) => boolean,
): { readonly text: string; readonly planted: readonly Planted[] } {
  const lines = text.split('\n');
  const sites = lines.flatMap((line, at) =>
    /^\s{0,200}(?:\/\/|\/?\*|#)/.test(line) || line.length > 400
      ? []
      : OPERATORS.flatMap((operator) => {
          const change = operator.apply(line, language);
          return change === undefined ? [] : [{ at, operator, change }];
        }),
  );
  const chosen: typeof sites = [];
  let current = lines;
  while (sites.length > 0 && chosen.length < most) {
    const [site] = sites.splice(source.below(sites.length), 1);
    if (site === undefined || chosen.some(({ at }) => Math.abs(at - site.at) < LEAST_APART)) continue;
    const next = current.with(site.at, site.change.line ?? REMOVED);
    if (!parses(textOf(next))) continue;
    current = next;
    chosen.push(site);
  }
  const removedBefore = (at: number) => current.slice(0, at).filter((line) => line === REMOVED).length;
  return {
    text: textOf(current),
    planted: chosen
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, operator, change }) => {
        const line = at + 1 - removedBefore(at);
        const last = current.filter((one) => one !== REMOVED).length;
        // A removed line is located by its neighbours.
        const around = [Math.max(1, line - 1), Math.min(line, last)] as const;
        return {
          operator,
          lines: change.line === undefined ? around : ([line, line] as const),
          quote: (change.line ?? '').trim(),
        };
      }),
  };
}

/** Cannot occur as a line of a file. */
const REMOVED = '\0removed';

function textOf(lines: readonly string[]): string {
  return lines.filter((line) => line !== REMOVED).join('\n');
}
