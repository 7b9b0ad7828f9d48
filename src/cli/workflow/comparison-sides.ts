/** The two sides of a comparison: from files and a ground truth, from an experiment, or from what the store remembers. */
import { AssayError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { didYouMean } from '../../suggest.ts';
import type { ComparisonSide } from '../../workflow/compare/compare-sides.ts';
import type { RunEvidence } from '../../workflow/evidence.ts';
import { refuseMisfits } from '../../workflow/ingest/check-runs-fit-truth.ts';
import { collectRuns } from '../../workflow/ingest/collect-runs.ts';
import { importTruth } from '../../workflow/ingest/import-truth.ts';
import type { Mapping } from '../../workflow/ingest/mapping.ts';
import { readDocuments } from '../../workflow/ingest/read-documents.ts';
import { readExperiment } from '../../workflow/ingest/read-experiment.ts';
import { examineRun } from '../../workflow/match/examine-run.ts';
import type { Arguments } from '../command.ts';
import { documentsOption, expand, mapsOption } from './options.ts';

export type Sides = {
  readonly before: ComparisonSide;
  readonly after: ComparisonSide;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

export function sidesFromFiles(args: Arguments, truthPath: string, a: string, b: string): Sides {
  const maps = mapsOption(args);
  const { truth, ...imported } = importTruth(truthPath, maps);
  const options = documentsOption(args);
  // A report that names no workflow is called by its path.
  const [before, after] = [a, b].map((path) =>
    collectRuns(expand([path]), { task: truth.task, unnamed: path, ...maps }),
  );
  if (before === undefined || after === undefined) throw new RangeError('two sides are needed');
  const side = (path: string, { runs }: typeof before): ComparisonSide => {
    refuseMisfits(truth, runs);
    return { name: nameOf(path, runs), runs: runs.map((run) => examineRun(truth, run, options)) };
  };
  return {
    ...distinct(side(a, before), side(b, after), a, b),
    mappings: [...imported.mappings, ...before.mappings, ...after.mappings],
    notes: [...imported.notes, ...before.notes, ...after.notes],
  };
}

function nameOf(path: string, runs: readonly { readonly workflow: string }[]): string {
  const names = [...new Set(runs.map(({ workflow }) => workflow))];
  if (names.length === 1) return names[0] as string;
  throw new AssayError(
    'INPUT_INVALID',
    `${path} holds runs of ${names.length} workflows: ${names.join(', ')}`,
    {
      remedy: 'Name one folder or pattern per workflow, or an experiment with --experiment DIR.',
    },
  );
}

/** Two folders with runs of one workflow are told apart by their paths. */
function distinct(
  before: ComparisonSide,
  after: ComparisonSide,
  a: string,
  b: string,
): { before: ComparisonSide; after: ComparisonSide } {
  if (before.name !== after.name) return { before, after };
  return { before: { ...before, name: a }, after: { ...after, name: b } };
}

export function sidesFromExperiment(path: string, a: string, b: string): Sides {
  const { arms, mappings, notes } = readExperiment(path);
  const names = [...new Set(arms.map(({ workflow }) => workflow))];
  const documents = new Map<string, ReadonlyMap<string, string>>();
  const side = (name: string): ComparisonSide => {
    const own = arms.filter(({ workflow }) => workflow === name);
    if (own.length === 0) {
      throw new AssayError('USAGE', `${path} has no workflow "${name}"${didYouMean(name, names)}`, {
        remedy: `Its workflows are ${names.join(', ')}.`,
      });
    }
    const runs = own.flatMap(({ truth, runs: reviews, documents: folder }) => {
      if (folder !== undefined && !documents.has(folder)) documents.set(folder, readDocuments(folder));
      const read = folder === undefined ? undefined : documents.get(folder);
      return reviews.map((run) => examineRun(truth, run, read === undefined ? {} : { documents: read }));
    });
    return { name, runs };
  };
  return { before: side(a), after: side(b), mappings, notes };
}

/** The latest score of each task that the store has of a workflow; also one score by the beginning of its id. */
export async function sidesFromStore(store: Store, a: string, b: string): Promise<Sides> {
  const runs = await store.listRuns({ instrument: 'workflow' });
  const side = async (name: string): Promise<ComparisonSide> => {
    const latest = new Map<string, readonly RunEvidence[]>();
    const wanted = runs.filter(({ subject }) => subject === name);
    for (const { runId } of wanted.length > 0
      ? wanted
      : runs.filter((run) => run.runId.startsWith(name)).slice(0, 1)) {
      const record = await store.readRun(runId);
      // Evidence is what the matcher wrote; the store keeps it as plain data.
      const evidence = (record?.cases ?? []).flatMap(
        (one) => (one.evidence as unknown as RunEvidence | undefined) ?? [],
      );
      const task = evidence[0]?.task;
      if (task !== undefined && !latest.has(task)) latest.set(task, evidence);
    }
    if (latest.size === 0) throw unknownSide(store, name, [...new Set(runs.map(({ subject }) => subject))]);
    return { name, runs: [...latest.values()].flat() };
  };
  return { before: await side(a), after: await side(b), mappings: [], notes: [] };
}

function unknownSide(store: Store, name: string, known: readonly string[]): AssayError {
  return new AssayError(
    'USAGE',
    `${store.address} has no score of a workflow "${name}"${didYouMean(name, known)}`,
    {
      remedy:
        'Score both with assay workflow score first, or name files with --truth FILE, or an experiment with --experiment DIR.',
    },
  );
}
