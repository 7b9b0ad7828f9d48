import { labelledRuns } from '../../workflow/blind/labelled-runs.ts';
import { type OpenRequest, openBlind } from './blind-check.ts';

export type ExportedLabels = {
  readonly truthHash: string;
  /** Run files: what each is called, and what it holds. */
  readonly files: readonly { readonly name: string; readonly run: Readonly<Record<string, unknown>> }[];
};

/** The final labels as run files that can be scored. */
export function exportBlind(request: OpenRequest): ExportedLabels {
  const { material, state, start } = openBlind(request);
  const runs = labelledRuns(material, state);
  return {
    truthHash: start.truth,
    files: runs.map((run, index) => ({
      name: fileName(`${run.workflow}-${run.run}`, index, runs.length),
      run,
    })),
  };
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
