/**
 * The subject of a blind evaluation, frozen when it starts: the ground truth, the findings and the objective criteria.
 * Evaluators see findings under neutral ids in a fixed shuffled order, so that neither order nor name reveals the run
 * or the version of a review.
 */

import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import type { Criterion, RunEvidence } from '../evidence.ts';
import type { Finding, ReviewRun } from '../review.ts';
import type { GroundTruth, KnownError } from '../truth.ts';
import type { AnswerStep, Assessment } from './answers.ts';
import { sha256 } from './chain.ts';
import { labelsOf, type Scope, type State } from './protocol.ts';

/** A pair of finding and error that objective criteria connect. */
export type ObjectiveEdge = {
  readonly finding: string;
  readonly error: string;
  readonly strength: 'Y' | 'P';
  readonly criteria: readonly Criterion[];
};

export type BlindFinding = {
  /** The neutral id that evaluators use. */
  readonly id: string;
  /** Its place in `runs`. */
  readonly run: number;
  readonly finding: Finding;
  /** Identical findings of other runs: they are judged together, once. */
  readonly also?: readonly { readonly run: number; readonly finding: Finding }[];
};

/** Every occurrence of a judged finding. */
export function occurrences({ run, finding, also = [] }: BlindFinding) {
  return [{ run, finding }, ...also];
}

export type Material = {
  readonly truth: GroundTruth;
  /** Without their findings, which `findings` holds. */
  readonly runs: readonly Omit<ReviewRun, 'findings' | 'path'>[];
  readonly findings: readonly BlindFinding[];
  readonly edges: readonly ObjectiveEdge[];
  readonly matcherVersion: string;
};

export type Examine = (truth: GroundTruth, run: ReviewRun) => Pick<RunEvidence, 'edges' | 'matcherVersion'>;

export function freeze(truth: GroundTruth, runs: readonly ReviewRun[], examine: Examine): Material {
  checkSameTask(truth, runs);
  // A label in a run file names errors of the ground truth; step 1 must not show it, and it is no objective criterion.
  const unlabelled = runs.map((run) => ({
    ...run,
    findings: run.findings.map((finding) => ({ ...finding, labels: [] })),
  }));
  const findings = shuffled(unlabelled);
  const idOf = new Map(
    findings.flatMap((one) => occurrences(one).map(({ run, finding }) => [`${run} ${finding.id}`, one.id])),
  );
  const evidence = unlabelled.map((run) => examine(truth, run));
  return {
    truth,
    runs: unlabelled.map(({ findings: _findings, path: _path, ...run }) => run),
    findings,
    edges: once(
      evidence.flatMap(({ edges }, run) =>
        edges.map(({ finding, error, strength, criteria }) => ({
          finding: idOf.get(`${run} ${finding}`) ?? finding,
          error,
          strength,
          criteria,
        })),
      ),
    ),
    matcherVersion: evidence[0]?.matcherVersion ?? '',
  };
}

function checkSameTask(truth: GroundTruth, runs: readonly ReviewRun[]): void {
  const other = runs.find(({ task }) => task !== truth.task);
  if (other !== undefined) {
    throw new AssayError(
      'INPUT_INVALID',
      `${other.path ?? `run ${other.run}`} is about task "${other.task}", the ground truth about "${truth.task}"`,
      { remedy: 'Name the ground truth of the task that the runs worked on.' },
    );
  }
  if (truth.errors.length === 0) {
    throw new AssayError(
      'INPUT_INVALID',
      'the ground truth has no errors: there is nothing to match against',
    );
  }
  if (runs.every(({ findings }) => findings.length === 0)) {
    throw new AssayError('INPUT_INVALID', 'the runs have no findings: there is nothing to evaluate');
  }
}

/** The same finding in two runs is connected with the same errors. */
function once(edges: readonly ObjectiveEdge[]): ObjectiveEdge[] {
  return [...new Map(edges.map((edge) => [`${edge.finding} ${edge.error}`, edge])).values()];
}

/**
 * Ordered by a hash of their content: the same for everybody, and unrelated to runs and places. Identical findings of
 * several runs are one entry, which an evaluator judges once.
 */
function shuffled(runs: readonly ReviewRun[]): BlindFinding[] {
  const all = runs.flatMap(({ findings }, run) => {
    const seen = new Map<string, number>();
    return findings.map((finding) => {
      const says = JSON.stringify(shownFinding({ id: '', run, finding }));
      const times = seen.get(says) ?? 0;
      seen.set(says, times + 1);
      // A run that reports something twice has two entries: the second may be a duplicate.
      return { run, finding, key: sha256(JSON.stringify([says, times])) };
    });
  });
  const groups = [...Map.groupBy(all, ({ key }) => key)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const width = Math.max(2, String(groups.length).length);
  return groups.flatMap(([, same], index) => {
    const [first, ...also] = same.map(({ run, finding }) => ({ run, finding }));
    const id = `F${String(index + 1).padStart(width, '0')}`;
    return first === undefined ? [] : [{ id, ...first, ...(also.length > 0 && { also }) }];
  });
}

const SHAPE = z.looseObject({
  truth: z.looseObject({
    hash: z.string(),
    errors: z.array(
      z.looseObject({ id: z.string(), description: z.string(), locations: z.array(z.looseObject({})) }),
    ),
  }),
  runs: z.array(z.looseObject({ workflow: z.string(), run: z.string(), concerns: z.array(z.unknown()) })),
  findings: z.array(
    z.looseObject({
      id: z.string(),
      run: z.int(),
      finding: z.looseObject({ id: z.string(), title: z.string() }),
    }),
  ),
  edges: z.array(
    z.looseObject({
      finding: z.string(),
      error: z.string(),
      strength: z.enum(['Y', 'P']),
      criteria: z.array(z.string()),
    }),
  ),
  matcherVersion: z.string(),
});

/** A folder may come from anywhere: content that does not have the form of `freeze` is refused. */
export function isMaterial(content: unknown): content is Material {
  return SHAPE.safeParse(content).success;
}

/** A finding in step 1: its text and place, not its origin. */
export function shownFinding({ id, finding }: BlindFinding) {
  const { title, description, category, severity, depth, file, section, lines, quote } = finding;
  return { id, title, description, category, severity, depth, file, section, lines, quote };
}

/** What step 2 shows of the ground truth: the statements, not where they are found. */
export function shownStatement({ id, severity, category, description }: KnownError) {
  return { id, severity, category, description };
}

/** What step 3 adds: the objective criteria, and the places of the errors. */
export function shownCandidates({ truth, edges }: Material, finding: string) {
  return edges
    .filter((edge) => edge.finding === finding)
    .map(({ error, strength, criteria }) => {
      const known = truth.errors.find(({ id }) => id === error);
      return {
        error,
        strength,
        criteria,
        description: known?.description,
        locations: known?.locations,
        quote: known?.quote,
      };
    });
}

/**
 * Compressed content, so that neither a glance nor a search reveals it. It guards against seeing it by accident, not
 * against somebody who unpacks it.
 */

/** A small file that unpacks to more than this was not written by Assay. */
const MAX_BYTES = 256 * 1024 * 1024;

export function pack(content: unknown): string {
  return gzipSync(JSON.stringify(content)).toString('base64');
}

export function unpack(text: string, where: string): unknown {
  try {
    return JSON.parse(gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_BYTES }).toString());
  } catch (cause) {
    throw new AssayError('BLIND_TAMPERED', `${where} cannot be unpacked: it is not as it was written`, {
      cause,
    });
  }
}

/** Step 3: findings with the errors that objective criteria connect them to. */
export type ShownToMatch = {
  readonly scope: Scope;
  readonly findings: readonly (ReturnType<typeof shownFinding> & {
    /** The evaluator's own, blind one. */
    readonly assessment: Assessment | undefined;
    readonly candidates: ReturnType<typeof shownCandidates>;
  })[];
  readonly errors: readonly ReturnType<typeof shownStatement>[];
};

/** The current tasks of one evaluator. */
export type BlindDesk = {
  readonly step: AnswerStep | 'check' | 'opened';
  /** How many answers the step asks for. */
  readonly of?: number;
  readonly findings?: readonly ReturnType<typeof shownFinding>[];
  /** Present after the evaluator has asked to see them. */
  readonly errors?: readonly ReturnType<typeof shownStatement>[];
  readonly matches?: ShownToMatch;
  /** All is sealed: evaluators who are still at work, and open questions. */
  readonly waiting?: readonly string[];
  readonly disputed?: readonly string[];
};

export type BlindStarted = {
  readonly folder: string;
  readonly findings: number;
  /** How many findings the runs have; the same words in several runs are judged once. */
  readonly reported: number;
  readonly runs: number;
  readonly errors: number;
  readonly truthHash: string;
  readonly receipt: string;
  readonly evaluators: readonly string[];
};

/** The final labels as run files, in the notation that every command that scores runs reads. */

/** Stores every label of every evaluator; scoring resolves them. */
export function labelledRuns({ runs, findings, truth }: Material, state: State): Record<string, unknown>[] {
  const inOrder = findings
    .flatMap((one) => occurrences(one).map((place) => ({ id: one.id, ...place })))
    .toSorted((a, b) => a.finding.id.localeCompare(b.finding.id, 'en', { numeric: true }));
  return runs.map((run, index) => ({
    workflow: run.workflow,
    task: run.task,
    run: run.run,
    truth_version: truth.version,
    model: run.model,
    agent_tokens: run.agentTokens,
    workflow_tokens: run.workflowTokens,
    ...(run.concerns.length > 0 && { concerns: run.concerns }),
    findings: inOrder
      .filter((one) => one.run === index)
      .map(({ id, finding }) => {
        const labels = labelsOf(state, id);
        const { labels: _none, ...content } = finding;
        return { ...content, ...(labels.length > 0 && { labels }) };
      }),
  }));
}
