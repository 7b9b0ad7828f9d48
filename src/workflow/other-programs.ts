/** Calls to git, gh and language parsers. */

import { spawnSync } from 'node:child_process';
import * as nodeModule from 'node:module';
import type { Language } from './plant-errors.ts';

/** Fix commits, newest first: commit, parents and subject, separated by tabs. */
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

/** All pages of a GitHub API list, with the user's login. */
export function pagesOf(address: string): readonly string[] {
  return ['api', '--paginate', '--slurp', address];
}

/** Programs that read source code and report by exit code whether it is valid. */
const PARSERS = {
  python: ['python3', ['-I', '-c', 'import ast, sys; ast.parse(sys.stdin.read())']],
  go: ['gofmt', ['-e']],
} as const satisfies Record<string, readonly [string, readonly string[]]>;

/** Whether the language's own parser accepts the text; false if it is not installed. */
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
    // Node warns that its parser is experimental, which is irrelevant to the user.
    process.emitWarning = () => {};
    return strip !== undefined && strip(text) !== undefined;
  } catch {
    return false;
  } finally {
    process.emitWarning = emitWarning;
  }
}
