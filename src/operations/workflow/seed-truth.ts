/** Generates ground truths: plants errors into copies of files, or uses the fixes in a git history. */
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { stringify } from 'yaml';
import { AssayError } from '../../errors.ts';
import { readText } from '../../files.ts';
import { type GitOptions, gitText } from '../../session/outcomes/git.ts';
import { random } from '../../stats/random.ts';
import { listFiles } from '../../workflow/ingest/list-files.ts';
import { checkTruth } from '../../workflow/ingest/truth-schema.ts';
import { changesBetween, fixesOf, parses } from '../../workflow/other-programs.ts';
import { LANGUAGES, plantErrors, type SeededTruths } from '../../workflow/plant-errors.ts';
import { suggestCategory } from '../../workflow/suggest-mapping.ts';
import { CATEGORIES, type Severity } from '../../workflow/truth.ts';
import { writeNewFile } from '../write-new-file.ts';

export type MutateRequest = {
  /** Files or folders. */
  readonly files: readonly string[];
  /** The output folder of the experiment: truth/ and documents/. */
  readonly folder: string;
  readonly task: string;
  readonly seed: number;
  readonly errors: number;
};

const MUTATED =
  'Planted by a program. Correct category and severity where they are guessed wrong, then delete this line: until then no gate passes on it.';

/** Plants errors into copies of the files. The same files and seed give the same copies and the same truth. */
export function seedByMutation({ files, folder, task, seed, errors: most }: MutateRequest): SeededTruths {
  const source = random(seed);
  const read = files.flatMap((path) => sourcesBelow(path)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const skipped: string[] = [];
  const errors: object[] = [];
  const copies: { readonly name: string; readonly text: string }[] = [];
  const known = read.flatMap((one) => {
    const language = LANGUAGES.get(extname(one.name).toLowerCase());
    const text = readText(one.path);
    if (language !== undefined && parses(text, language)) return [{ ...one, text, language }];
    skipped.push(one.name);
    return [];
  });
  // Shuffled by the seed, so that a few errors are not all in the first files.
  const order = known
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((one) => ({ one, at: source.bits() }));
  for (const [index, { one }] of order.toSorted((a, b) => a.at - b.at).entries()) {
    const { name, text, language } = one;
    const share = isTest(name) ? 0 : Math.ceil((most - errors.length) / (known.length - index));
    const { text: copy, planted } = plantErrors(text, language, share, source, (one) =>
      parses(one, language),
    );
    copies.push({ name, text: copy });
    for (const { operator, lines, quote } of planted)
      errors.push({
        id: `E${errors.length + 1}`,
        severity: operator.severity,
        category: operator.category,
        description: `${operator.what} (${operator.name})`,
        locations: [{ file: name, lines: [...lines] }],
        ...(quote.length >= 12 && copy.split(quote).length === 2 && { quote }),
      });
  }
  if (errors.length === 0)
    throw new AssayError('INPUT_INVALID', 'no error could be planted in these files', {
      remedy: `Name source files that this machine can check: ${[...LANGUAGES.keys()].join(', ')}.`,
    });
  const truth = writeTruth(folder, task, { draft: MUTATED, task, version: `seed ${seed}`, errors });
  for (const { name, text } of copies) writeNewFile(join(folder, 'documents', task, name), text);
  return { folder, tasks: [{ task, truth, errors: errors.length }], skipped };
}

function sourcesBelow(path: string): { readonly name: string; readonly path: string }[] {
  if (extname(path) !== '') return [{ name: basename(path), path }];
  return listFiles(path).map((file) => ({ name: relative(path, file).split(sep).join('/'), path: file }));
}

export type HistoryRequest = {
  readonly repository: string;
  readonly folder: string;
  /** Maximum number of tasks; the newest fixes come first. */
  readonly tasks: number;
  readonly environment: GitOptions['environment'];
};

const FROM_HISTORY =
  'Made of a fix in the history. Read it, correct category, severity and place, then delete this line: until then no gate passes on it.';

/** A fix is small; a larger change contains more than its error. */
const [MOST_FILES, MOST_LINES, LOOKED_THROUGH] = [3, 60, 5000];

/** Turns fix commits into tasks: the parent contains the error, the change locates it. */
export async function seedFromHistory(request: HistoryRequest): Promise<SeededTruths> {
  const { folder, repository, environment } = request;
  const options = { folder: resolve(repository), environment, deadline: performance.now() + 120_000 };
  const log = await gitText(options, fixesOf(LOOKED_THROUGH));
  const tasks: SeededTruths['tasks'][number][] = [];
  for (const line of log.split('\n')) {
    if (tasks.length >= request.tasks) break;
    const [commit = '', parent = '', subject = ''] = line.split('\t');
    if (!/^[0-9a-f]{40,64}$/.test(parent) || subject === '') continue;
    const patch = await gitText(options, changesBetween(parent, commit));
    const places = placesOf(patch).filter(({ file }) => isCode(file));
    const files = [...new Set(places.map(({ file }) => file))];
    const lines = places.reduce((sum, { lines: [from, to] }) => sum + to - from + 1, 0);
    if (files.length === 0 || files.length > MOST_FILES || lines > MOST_LINES) continue;
    const task = `fix-${commit.slice(0, 10)}`;
    const texts = await Promise.all(files.map((file) => gitText(options, ['show', `${parent}:${file}`])));
    const errors = [
      {
        id: 'E1',
        severity: severityOf(subject),
        category: suggestCategory(subject, CATEGORIES) ?? 'ASSUME',
        description: subject,
        locations: places.map(({ file, lines: own }) => ({ file, lines: [...own] })),
      },
    ];
    const truth = writeTruth(folder, task, {
      draft: FROM_HISTORY,
      task,
      version: parent.slice(0, 10),
      errors,
    });
    files.forEach((file, i) => {
      writeNewFile(join(folder, 'documents', task, file), texts[i] ?? '');
    });
    tasks.push({ task, truth, errors: errors.length });
  }
  if (tasks.length === 0)
    throw new AssayError(
      'INPUT_INVALID',
      `${repository} has no small fix of code in its last ${LOOKED_THROUGH} fixes`,
      {
        remedy: 'Fixes are commits whose message says fix, bug or regression.',
      },
    );
  return { folder, tasks, skipped: [] };
}

/** The lines of the parent that a change touches, or the lines around a pure addition. */
function placesOf(patch: string): { readonly file: string; readonly lines: readonly [number, number] }[] {
  let file: string | undefined;
  return patch.split('\n').flatMap((line) => {
    if (line.startsWith('--- ')) file = line.startsWith('--- a/') ? line.slice(6) : undefined;
    const [, from = '', count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (from === '' || file === undefined || file.split('/').includes('..')) return [];
    const start = Math.max(1, Number(from));
    return [{ file, lines: [start, count === '0' ? start + 1 : start + Number(count) - 1] as const }];
  });
}

/** Reviews do not look for errors in tests. */
function isTest(file: string): boolean {
  return /(?:^|[/_.-])(?:tests?|specs?|__tests__|fixtures)(?:[/_.-]|$)/i.test(file);
}

function isCode(file: string): boolean {
  return (
    !isTest(file) &&
    /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|hpp|swift|scala|sh|sql)$/.test(file)
  );
}

function severityOf(subject: string): Severity {
  if (/secur|vuln|crash|data loss|corrupt|leak|deadlock|injection/i.test(subject)) return 'CRITICAL';
  return /typo|style|wording|format|minor|cosmetic/i.test(subject) ? 'MINOR' : 'IMPORTANT';
}

function writeTruth(folder: string, task: string, truth: object): string {
  const path = join(folder, 'truth', `${task}.yaml`);
  // Never write a file that Assay could not read again.
  checkTruth({ path, value: truth });
  writeNewFile(path, stringify(truth, { lineWidth: 0 }));
  return path;
}
