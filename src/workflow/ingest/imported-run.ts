import { basename, extname } from 'node:path';
import type { z } from 'zod';
import { check, type FieldPlace, InvalidInput, linesOf, type RawValue, refuse } from './fields.ts';
import type { ImportedRuns, Importer, ImportOptions, RawFile } from './formats/importer.ts';
import { type Mapper, mapperFor, type SeverityTable } from './mapping.ts';
import { type FindingDraft, runOf, runSchema } from './run-schema.ts';

/** Validates a run of another tool like one of Assay's own. Its findings are numbered in file order. */
export function importedRun(
  source: RawValue,
  said: StatedNames,
  findings: readonly Omit<FindingDraft, 'id'>[],
  mapper: Mapper,
  notes: readonly string[],
  options: ImportOptions,
): ImportedRuns {
  const names = namesFor(source.path, said, options);
  const draft = {
    workflow: names.workflow,
    task: names.task,
    run: names.run,
    model: options.model,
    findings: findings.map((finding, index) => ({ id: `F${index + 1}`, ...finding })),
  };
  return {
    runs: [runOf(check(runSchema, { ...source, value: draft }), source.path)],
    mappings: mapper.mappings(),
    notes: [...names.notes, ...notes],
  };
}

/** One finding of a tool, before its severity and category are mapped. Messages refer to its place. */
type ToolFinding = {
  readonly message: string;
  readonly place: FieldPlace;
  readonly severity?: string | undefined;
  /** `tag`: the category's meaning, if the file states it. */
  readonly category?: string | undefined;
  readonly tag?: string | undefined;
  readonly file?: string | undefined;
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
  readonly quote?: string | undefined;
};

/** The tool-specific part of an importer for one list of findings; `reportImporter` provides the rest. */
export type ReportFormat<Schema extends z.ZodType> = Omit<Importer, 'readRuns'> & {
  readonly severities: SeverityTable['values'];
  readonly schema: Schema;
  /** The part of a file that is the report; `undefined` if there is none. */
  readonly reportIn: (file: RawFile) => RawValue | undefined;
  readonly read: (report: z.output<Schema>) => {
    readonly findings: readonly ToolFinding[];
    readonly workflow?: string | undefined;
    readonly notes?: readonly string[];
  };
};

export function reportImporter<Schema extends z.ZodType>(format: ReportFormat<Schema>): Importer {
  const { severities, schema, reportIn, read, ...importer } = format;
  return {
    ...importer,
    readRuns: (file, options) => {
      const source = reportIn(file);
      if (source === undefined)
        throw refuse({ path: file.path, value: undefined }, [], `is no report of ${format.title}`);
      const { findings, workflow, notes = [] } = read(check(schema, source));
      const mapper = mapperFor(source, { format: format.title, values: severities }, options.maps);
      const drafts = findings.map((finding) => draftOf(finding, source, mapper));
      return importedRun(source, { workflow }, drafts, mapper, notes, options);
    },
  };
}

function draftOf(finding: ToolFinding, source: RawValue, mapper: Mapper): Omit<FindingDraft, 'id'> {
  const { message, place, severity, category, tag, file, quote } = finding;
  const [from, to] = [finding.from ?? undefined, finding.to ?? undefined];
  if (from !== undefined && to !== undefined && to >= 1 && to < from)
    throw refuse(source, place, `ends at line ${to}, before it begins at line ${from}`);
  return {
    ...titled(message),
    severity: severity === undefined ? undefined : mapper.severity(severity, [...place, 'severity']),
    category: category ? mapper.category(category, tag) : undefined,
    file: file || undefined,
    lines: linesOf(from, to),
    quote,
  };
}

/** The first line of a message becomes the title; a longer message also becomes the description. */
export function titled(message: string): { title: string; description?: string } {
  const whole = message.trim();
  const first = whole.split('\n', 1)[0]?.trim() ?? '';
  const title = first.length > 300 ? `${first.slice(0, 299)}…` : first;
  return title === whole ? { title } : { title, description: whole };
}

/** The names that a file of another tool contains. */
export type StatedNames = { readonly workflow?: string | undefined; readonly task?: string | undefined };

/**
 * Names for a run of another tool. The options come first, then the file name (`workflow--task--run.json` or only the
 * run), then the content.
 */
function namesFor(path: string, said: StatedNames, options: ImportOptions) {
  const base = basename(path, extname(path));
  const parts = base.split('--');
  const [workflow, task, run] = parts.length === 3 && parts.every((part) => part !== '') ? parts : [];
  const notes: string[] = [];
  const choose = (what: 'workflow' | 'task' | 'run', ...choices: [string | undefined, string][]): string => {
    if (options[what]) return options[what];
    const [value, from] = choices.find(([one]) => one) ?? [];
    if (value === undefined)
      throw new InvalidInput(
        [{ file: path, place: what, message: `neither the file nor its name gives the ${what}` }],
        {
          remedy: `Give --${what}, or name the file workflow--task--run${extname(path)}.`,
        },
      );
    notes.push(`${what} "${value}" comes from ${from}`);
    return value;
  };
  const [file, nowhere] = ['the name of the file', 'a default, because the file does not name it'];
  return {
    workflow: choose(
      'workflow',
      [workflow, file],
      [said.workflow, 'the tool that the file names'],
      [options.unnamed, nowhere],
    ),
    task: choose('task', [task, file], [said.task, 'what the file is about'], [options.unnamed, nowhere]),
    run: choose('run', [run ?? base, file]),
    notes,
  };
}
