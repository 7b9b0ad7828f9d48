import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { labelledRuns } from '../../workflow/blind/labelled-runs.ts';
import type { Ports } from '../ports.ts';
import { type OpenRequest, openBlind } from './blind-check.ts';

export type ExportLabelsRequest = OpenRequest & {
  /** The folder that takes the run files; it is made where there is none. */
  readonly out: string;
};

export type ExportedLabels = {
  readonly truthHash: string;
  /** Run files, as they were written. */
  readonly paths: readonly string[];
};

/** Writes the final labels as run files that can be scored. */
export function exportBlind(request: ExportLabelsRequest, ports: Pick<Ports, 'now'>): ExportedLabels {
  const { material, state, start } = openBlind(request, ports);
  const runs = labelledRuns(material, state);
  writing(request.out, () => makeFolder(request.out));
  const paths = runs.map((run, index) => {
    const path = join(request.out, fileName(`${run.workflow}-${run.run}`, index, runs.length));
    writing(path, () => writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`));
    return path;
  });
  return { truthHash: start.truth, paths };
}

function writing(path: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, { cause });
  }
}

/** Names come from data: only what every file system takes, and a number where two could become the same. */
function fileName(name: string, index: number, of: number): string {
  const safe =
    name
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 80) || 'run';
  return of === 1 ? `${safe}.json` : `${String(index + 1).padStart(String(of).length, '0')}-${safe}.json`;
}
