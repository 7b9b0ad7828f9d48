/** Collects the two sides of a comparison: from files and a ground truth, from an experiment, or from the store. */
import { AssayError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { didYouMean } from '../../suggest.ts';
import type { ComparisonSide, KnownErrors } from '../../workflow/compare/measure-sides.ts';
import type { RunEvidence } from '../../workflow/evidence.ts';
import type { Reading } from '../../workflow/ingest/mapping.ts';
import { runsOf, workflowsOf } from '../../workflow/reports/error-matrix.ts';
import type { Ports } from '../ports.ts';
import {
  type ExaminedReviews,
  examineFiles,
  openTruth,
  type ReviewInputs,
  readReviews,
  type TruthInputs,
} from './read-reviews.ts';

/** Two paths of runs with a ground truth, or names of workflows among runs, in an experiment or in the store. */
export type SidesFrom = TruthInputs | ReviewInputs | 'store';

export type ComparisonSides = Reading & {
  readonly before: ComparisonSide;
  readonly after: ComparisonSide;
  /** The known errors, if there is a ground truth. */
  readonly known?: KnownErrors;
  /** Tasks whose ground truth is an uncorrected draft. */
  readonly drafts?: readonly string[];
};

export async function readSides(
  from: SidesFrom,
  a: string,
  b: string,
  ports: Ports,
): Promise<ComparisonSides> {
  if (from === 'store') return sidesFromStore(await ports.store('looking'), a, b);
  if ('experiment' in from) return sidesByName(readReviews(from), from.experiment, a, b);
  return 'runs' in from ? sidesByName(readReviews(from), 'these runs', a, b) : sidesFromFiles(from, a, b);
}

function sidesFromFiles(inputs: TruthInputs, a: string, b: string): ComparisonSides {
  const opened = openTruth(inputs);
  // A report without a workflow name is named by its path.
  const [one, other] = [a, b].map((path) => examineFiles(opened, [path], { unnamed: path })) as [
    ExaminedArms,
    ExaminedArms,
  ];
  const side = (path: string, { arms }: ExaminedArms): ComparisonSide => {
    const [arm, ...others] = arms;
    if (arm !== undefined && others.length === 0) return { name: arm.workflow, runs: arm.runs };
    const names = workflowsOf(arms);
    throw new AssayError(
      'INPUT_INVALID',
      `${path} holds runs of ${names.length} workflows: ${names.join(', ')}`,
      { remedy: 'Name one folder or pattern per workflow, or an experiment that holds both.' },
    );
  };
  const [before, after] = [side(a, one), side(b, other)];
  // Two folders with runs of the same workflow are named by their paths.
  const sameName = before.name === after.name;
  return {
    before: sameName ? { ...before, name: a } : before,
    after: sameName ? { ...after, name: b } : after,
    ...truthsOf(one.arms),
    mappings: [...opened.imported.mappings, ...one.mappings, ...other.mappings],
    notes: [...opened.imported.notes, ...one.notes, ...other.notes],
  };
}

type ExaminedArms = Omit<ExaminedReviews, 'name'>;

function truthsOf(arms: ExaminedReviews['arms']): Pick<ComparisonSides, 'known' | 'drafts'> {
  const known = arms.map(
    ({ task, truth }) =>
      [task, new Map(truth.errors.map(({ id, description }) => [id, description]))] as const,
  );
  const drafts = arms.filter(({ truth }) => truth.draft).map(({ task }) => task);
  return { known: new Map(known), drafts: [...new Set(drafts)] };
}

function sidesByName(
  { arms, mappings, notes }: ExaminedReviews,
  where: string,
  a: string,
  b: string,
): ComparisonSides {
  const names = workflowsOf(arms);
  const side = (name: string): ComparisonSide => {
    if (names.includes(name)) return { name, runs: runsOf(arms, name) };
    throw new AssayError(
      'WORKFLOW_NOT_FOUND',
      `there is no workflow "${name}" in ${where}${didYouMean(name, names)}`,
      { remedy: `There are runs of ${names.join(', ')}.` },
    );
  };
  return { before: side(a), after: side(b), mappings, notes, ...truthsOf(arms) };
}

/** The latest stored score of each task of a workflow, or one score by a prefix of its id. */
async function sidesFromStore(store: Store, a: string, b: string): Promise<ComparisonSides> {
  const scores = await store.listRuns({ instrument: 'workflow' });
  const side = async (name: string): Promise<ComparisonSide> => {
    const latest = new Map<string, readonly RunEvidence[]>();
    const wanted = scores.filter(({ subject }) => subject === name);
    for (const { runId } of wanted.length > 0
      ? wanted
      : scores.filter((score) => score.runId.startsWith(name)).slice(0, 1)) {
      const record = await store.readRun(runId);
      // The matcher wrote this evidence; the store returns it as plain data.
      const evidence = (record?.cases ?? []).flatMap(
        (one) => (one.evidence as unknown as RunEvidence | undefined) ?? [],
      );
      const task = evidence[0]?.task;
      if (task !== undefined && !latest.has(task)) latest.set(task, evidence);
    }
    if (latest.size === 0) throw unknownSide(store, name, [...new Set(scores.map(({ subject }) => subject))]);
    return { name, runs: [...latest.values()].flat() };
  };
  return { before: await side(a), after: await side(b), mappings: [], notes: [] };
}

function unknownSide(store: Store, name: string, known: readonly string[]): AssayError {
  return new AssayError(
    'WORKFLOW_NOT_FOUND',
    `${store.address} has no score of a workflow "${name}"${didYouMean(name, known)}`,
    { remedy: 'Score both first, or name a ground truth and files, or an experiment.' },
  );
}
