/** Finds commands and addresses in a text that take a package by our name from a registry, where the name is not ours. */

/** Programs that fetch a package and run it. */
const RUNNERS: readonly string[] = ['npx', 'bunx', 'pnpx'];

/** The same, as words of a package manager. */
const RUN: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
};

/** Words of a package manager after which packages are named. */
const FETCH: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', 'i', 'in', 'ins', 'inst', 'isntall', 'add', 'it', 'install-test', 'link', 'ln', 'pack'],
  pnpm: ['install', 'i', 'add', 'link'],
  yarn: ['add', 'link'],
  bun: ['install', 'i', 'add', 'link'],
};

/** Options whose value is the next word. */
const WITH_VALUE = /^(?:-c|--call|-w|--workspace|--prefix|--registry|--cache|--userconfig)$/;
const PACKAGE = /^(?:-p|--package)(?:=|$)/;
const OUR_NAME = /^(?:npm:)?assay(?:@\S*)?[.:!?]?$/;
const END = /^[;&|`#]+$/;
/** A line, a dash of a YAML list, and the key of arguments in a configuration. */
const BETWEEN = /^(?:\n|-|--|args|:|args:)$/;

/** A registry or a network that serves packages has the name of the package first in its path. */
const ADDRESS =
  /https?:\/\/[^\s/"'`]+\/(?:(?:npm|package)\/(?:npm:)?assay(?![\w-])|assay[@/])\S*|\bnpm:\/?assay(?![\w-])\S*/g;
const DEPENDENCY = /"assay"\s*:\s*"(?:[\^~<>=]*\s*v?\d|latest\b|\*|x\b|next\b|npm:)[^"\n]*"/g;

export function takenFromRegistry(text: string): string[] {
  return [
    ...commandsIn(tokensOf(text)),
    ...[...text.matchAll(ADDRESS), ...text.matchAll(DEPENDENCY)].map(([found]) => found),
  ];
}

/** Quotes and brackets are dropped: a command is the same as a line of a shell, in JSON and in code. */
function tokensOf(text: string): string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .replace(/["'()[\]{},]/g, ' ')
    .replace(/\n|[;&|`]+|(?<=\s)#/g, ' $& ')
    .split(/[ \t\r]+|(?<=\n)/)
    .filter((token) => token !== '');
}

function commandsIn(tokens: readonly string[]): string[] {
  return tokens.flatMap((token, index) => {
    const name = (token.split('/').at(-1) ?? '').replace(/\.cmd$/, '');
    if (RUNNERS.includes(name)) return wordsOf(tokens, index, runsOurName(tokens, index + 1));
    if (!Object.hasOwn(FETCH, name)) return [];
    const verb = verbAfter(tokens, index + 1);
    const word = tokens[verb] ?? '';
    if (RUN[name]?.includes(word)) return wordsOf(tokens, index, runsOurName(tokens, verb + 1));
    if (FETCH[name]?.includes(word)) return wordsOf(tokens, index, fetchesOurName(tokens, verb + 1));
    return [];
  });
}

function wordsOf(tokens: readonly string[], from: number, to: number | undefined): string[] {
  return to === undefined
    ? []
    : [
        tokens
          .slice(from, to + 1)
          .join(' ')
          .replaceAll(/\s+/g, ' '),
      ];
}

function verbAfter(tokens: readonly string[], from: number): number {
  let at = from;
  while (BETWEEN.test(tokens[at] ?? '') || /^-|^global$/.test(tokens[at] ?? ''))
    at += WITH_VALUE.test(tokens[at] ?? '') ? 2 : 1;
  return at;
}

/** Where the package is named that a runner fetches. */
function runsOurName(tokens: readonly string[], from: number): number | undefined {
  let isElsewhere = false;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (BETWEEN.test(token)) continue;
    if (END.test(token)) return undefined;
    if (PACKAGE.test(token)) {
      const named = token.includes('=') ? token.slice(token.indexOf('=') + 1) : (tokens[++at] ?? '');
      if (OUR_NAME.test(named)) return at;
      isElsewhere = true;
    } else if (token === '--no-install') isElsewhere = true;
    else if (WITH_VALUE.test(token)) at++;
    else if (!token.startsWith('-')) return OUR_NAME.test(token) && !isElsewhere ? at : undefined;
  }
  return undefined;
}

/** Where it is named among the packages of one line. */
function fetchesOurName(tokens: readonly string[], from: number): number | undefined {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (token === '\n' || END.test(token)) return undefined;
    if (OUR_NAME.test(token)) return at;
  }
  return undefined;
}
