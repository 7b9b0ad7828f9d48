/** What is asked of git, gh and the parsers of languages, in their own words. */

import { spawnSync } from 'node:child_process';
import * as nodeModule from 'node:module';
import type { Language } from './plant-errors.ts';

/** Fixes, the newest first: commit, parents and subject, between tabs. */
export function fixesOf(most: number): readonly string[] {
  return [
    ...['log', '--no-merges', `--max-count=${most}`, '--format=%H%x09%P%x09%s'],
    ...['-i', '-E', '--grep=^fix|\\bfix(es|ed)?\\b|\\bbug\\b|regression'],
  ];
}

export function changesBetween(parent: string, commit: string): readonly string[] {
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '-U0'];
  return ['diff', ...plain, '--src-prefix=a/', '--dst-prefix=b/', parent, commit, '--'];
}

/** All pages of a list of the interface of GitHub, by whoever is logged in. */
export function pagesOf(address: string): readonly string[] {
  return ['api', '--paginate', '--slurp', address];
}

/** They read a program and say by their exit code whether it is one. */
const PARSERS = {
  python: ['python3', ['-I', '-c', 'import ast, sys; ast.parse(sys.stdin.read())']],
  go: ['gofmt', ['-e']],
} as const satisfies Record<string, readonly [string, readonly string[]]>;

/** By the parser of the language itself, where this machine has it. */
export function parses(text: string, language: Language): boolean {
  if (language !== 'script') {
    const [command, words] = PARSERS[language];
    const { status } = spawnSync(command, words, {
      input: text,
      timeout: 20_000,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return status === 0;
  }
  const { stripTypeScriptTypes: strip } = nodeModule as { stripTypeScriptTypes?: (code: string) => string };
  const { emitWarning } = process;
  try {
    // That the parser is new is nothing to say of somebody's files.
    process.emitWarning = () => {};
    return strip !== undefined && strip(text) !== undefined;
  } catch {
    return false;
  } finally {
    process.emitWarning = emitWarning;
  }
}
