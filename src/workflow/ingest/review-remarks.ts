/** Remarks that people and bots left on a change: those on a place are findings, the rest is read as a written review. */
import type { ImportedRuns, ImportOptions } from './formats/importer.ts';
import { importedRun, titled } from './imported-run.ts';
import { mapperFor } from './mapping.ts';
import { marksOf, readReviewText } from './review-text.ts';
import type { NamesSaid } from './run-names.ts';
import { type Draft, drafts, marked, WRITTEN_SEVERITIES } from './text-drafts.ts';
import type { RawValue } from './validate.ts';

export type Remark = {
  readonly author: string | undefined;
  readonly body: string;
  /** Absent: said about the change as a whole. */
  readonly file?: string;
  readonly lines?: [number, number];
};

const NOBODY = 'unknown author';

/**
 * One run for each author, unless somebody says which workflow this is: a name that was given, or that the name of the
 * file gives, is that of all of them.
 */
export function runsOfRemarks(
  source: RawValue,
  format: string,
  remarks: readonly Remark[],
  said: Omit<NamesSaid, 'workflow'>,
  notes: readonly string[],
  options: ImportOptions,
): ImportedRuns {
  const authors = Map.groupBy(remarks, ({ author }) => author ?? NOBODY);
  const named = options.workflow !== undefined || /^[^/\\]+--[^/\\]+--[^/\\]+$/.test(fileName(source.path));
  if (named || authors.size <= 1) {
    const [only] = authors.keys();
    const who = [...authors].map(([author, { length }]) => `${author} (${length})`).join(', ');
    return runOfRemarks(
      source,
      format,
      remarks,
      { ...said, workflow: only },
      [...notes, ...(authors.size > 1 ? [`remarks of ${who} are taken as one workflow`] : [])],
      options,
    );
  }
  const parts = [...authors].map(([author, theirs]) =>
    runOfRemarks(source, format, theirs, { ...said, workflow: author }, [], options),
  );
  return {
    runs: parts.flatMap(({ runs }) => runs),
    format,
    mappings: parts.flatMap(({ mappings }) => mappings),
    notes: [...new Set([...notes, ...parts.flatMap((part) => part.notes)])],
  };
}

function fileName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
}

function runOfRemarks(
  source: RawValue,
  format: string,
  remarks: readonly Remark[],
  said: NamesSaid,
  notes: readonly string[],
  options: ImportOptions,
): ImportedRuns {
  const mapper = mapperFor(source, WRITTEN_SEVERITIES, options.maps);
  let general = 0;
  const findings = remarks.flatMap(({ body, file, lines }, index): Draft[] => {
    if (file === undefined) {
      const { findings: within } = readReviewText(body);
      if (within.length === 0) general += 1;
      return drafts(within, mapper, options.maps);
    }
    const [first = ''] = body.trim().split('\n', 1);
    return [
      {
        ...titled(body),
        ...marked(marksOf(first).marks, mapper, options.maps ?? {}, index),
        file,
        ...(lines !== undefined && { lines }),
      },
    ];
  });
  const about = said.workflow === undefined ? '' : ` by ${said.workflow}`;
  const all = [
    ...notes,
    ...(general > 0 ? [`remarks${about} that name no place, no findings: ${general}`] : []),
  ];
  return importedRun(source, format, said, findings, mapper, all, options);
}
