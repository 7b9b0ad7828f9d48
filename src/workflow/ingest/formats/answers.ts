/** Reviews written by models in an evaluation: each answer is a run, in any supported review format. */
import type { ReviewRun } from '../../review.ts';
import { type FieldPlace, isRecord, type RawValue, refuse } from '../fields.ts';
import type { Mapping } from '../mapping.ts';
import { assay } from './assay.ts';
import { flatList } from './flat-list.ts';
import type { ImportedRuns, Importer, ImportOptions, RawFile } from './importer.ts';
import { markdownReview } from './markdown-review.ts';
import { rdjson } from './rdjson.ts';
import { sarif } from './sarif.ts';

export type ReviewAnswer = {
  /** Its place in the file. */
  readonly place: FieldPlace;
  /** The model, or its name in the evaluation. */
  readonly workflow: string;
  /** The reviewed task, if the evaluation names it. */
  readonly task: string | undefined;
  /** Absent if there is no answer. */
  readonly answer: unknown;
};

/** In the order of detection. */
const FORMS: readonly Importer[] = [sarif, rdjson, flatList, assay];

const REMEDY =
  'A review is Markdown with places such as src/a.ts:12, or JSON: findings of ours, SARIF, rdjson. Say that there is none with "No findings".';

export function runsOfAnswers(
  source: RawValue,
  answers: readonly ReviewAnswer[],
  options: ImportOptions,
): ImportedRuns {
  const runs: ReviewRun[] = [];
  const mappings: Mapping[] = [];
  const notes = new Set<string>();
  const counts = new Map<string, number>();
  let silent = 0;
  for (const one of answers) {
    const task = options.task ?? one.task ?? options.unnamed;
    if (task === undefined)
      throw refuse(source, one.place, 'does not name its task', [
        { say: 'Name it in the metadata of the test, as task' },
        { say: 'Or name one task for all of them', options: { task: true } },
      ]);
    const workflow = options.workflow ?? one.workflow;
    const run = (counts.get(`${workflow} ${task}`) ?? 0) + 1;
    counts.set(`${workflow} ${task}`, run);
    if (isNothing(one.answer)) silent += 1;
    const imported = readAnswer(source, one, { ...options, workflow, task, run: String(run) });
    runs.push(...imported.runs);
    mappings.push(...imported.mappings);
    for (const note of imported.notes) notes.add(note);
  }
  if (silent > 0)
    notes.add(`executions that gave no answer, which count as reviews that found nothing: ${silent}`);
  return { runs, mappings, notes: [...notes] };
}

function isNothing(answer: unknown): boolean {
  return answer === undefined || answer === null || answer === '';
}

type Named = ImportOptions & { readonly workflow: string; readonly task: string; readonly run: string };

function readAnswer(source: RawValue, { answer, place }: ReviewAnswer, names: Named): ImportedRuns {
  const text = isNothing(answer) ? 'No answer.' : typeof answer === 'string' ? answer : undefined;
  const value = text === undefined ? answer : jsonIn(text);
  const read = reviewIn(source.path, value === undefined ? text : withNames(value, names), names);
  if (read === undefined) throw refuse(source, place, 'is not a supported review format', REMEDY);
  return read;
}

/** A review in any format, as text or value; `undefined` if it is not a review. */
export function reviewIn(path: string, answer: unknown, options: ImportOptions): ImportedRuns | undefined {
  const text = typeof answer === 'string' ? answer : undefined;
  const value = text === undefined ? answer : jsonIn(text);
  if (value !== undefined) {
    const file: RawFile = { kind: 'document', path, document: { path, value } };
    const form = FORMS.find(({ detect }) => detect(file));
    if (form !== undefined) return form.readRuns(file, options);
  }
  const page: RawFile = { kind: 'text', path, text: text ?? '' };
  return text !== undefined && markdownReview.detect(page)
    ? markdownReview.readRuns(page, options)
    : undefined;
}

/** Findings need no names: the evaluation provides workflow, task and run. */
function withNames(value: unknown, { workflow, task, run }: Named): unknown {
  const list = Array.isArray(value) ? value : isRecord(value) ? value.findings : undefined;
  if (!Array.isArray(list) || !list.every((one) => isRecord(one) && typeof one.title === 'string'))
    return value;
  const findings = list.map((one, index) => ({ id: `F${index + 1}`, ...one }));
  return { ...(isRecord(value) && value), workflow, task, run, findings };
}

/** Models often wrap JSON in a code fence. */
function jsonIn(text: string): unknown {
  const inner = /```(?:json|sarif)?[^\S\n]*\n([\s\S]*?)```/.exec(text)?.[1] ?? text;
  if (!/^\s*[[{]/.test(inner)) return undefined;
  try {
    return JSON.parse(inner);
  } catch {
    return undefined;
  }
}
