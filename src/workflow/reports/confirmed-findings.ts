/** Findings that are right and that come back: confirmed by criteria or a label, in more than half of the runs. */
import { hash } from 'node:crypto';
import { findingsAcross, isConfirmed } from '../counts.ts';
import { normaliseText } from '../match/document.ts';
import type { Finding } from '../review.ts';
import { type KnownError, type Location, SEVERITIES } from '../truth.ts';
import type { ExaminedArm } from './error-matrix.ts';

export type ConfirmedFinding = ReturnType<typeof describe>;

/** One run shows nothing about repetition. */
export const RUNS_TO_CONFIRM = 2;

/** The most severe first, then those found most often. */
export function confirmedFindings(arm: ExaminedArm): ConfirmedFinding[] {
  if (arm.runs.length < RUNS_TO_CONFIRM) return [];
  const errors = new Map(arm.truth.errors.map((error) => [error.id, error]));
  const reports = reportsByIdentity(arm);
  return findingsAcross(arm.runs)
    .filter(({ confirmed }) => confirmed)
    .map(({ identity, error: id, runs: found }) => {
      const error = id === undefined ? undefined : errors.get(id);
      const finding = bestReport(reports.get(identity) ?? []);
      return describe(arm, identity, finding, error, found);
    })
    .sort((a, b) => rank(a) - rank(b) || b.found - a.found || (a.fingerprint < b.fingerprint ? -1 : 1));
}

type Report = { readonly finding: Finding; readonly full: boolean };

function reportsByIdentity({ runs, reviews }: ExaminedArm): ReadonlyMap<string, readonly Report[]> {
  const reports = new Map<string, Report[]>();
  for (const [index, { findings }] of runs.entries()) {
    const texts = new Map(reviews[index]?.findings.map((finding) => [finding.id, finding]));
    for (const outcome of findings.filter(isConfirmed)) {
      const finding = texts.get(outcome.id);
      if (finding === undefined) continue;
      const known = reports.get(outcome.identity) ?? [];
      reports.set(outcome.identity, [...known, { finding, full: outcome.class !== 'PARTIAL' }]);
    }
  }
  return reports;
}

/** The one with the most exact place; ties go to the first run. */
function bestReport(reports: readonly Report[]): Finding | undefined {
  const exactness = ({ finding: { file, lines, quote }, full }: Report) =>
    (full ? 8 : 0) +
    (file === undefined ? 0 : 4) +
    (lines === undefined ? 0 : 2) +
    (quote === undefined ? 0 : 1);
  return reports.reduce<Report | undefined>(
    (best, one) => (best === undefined || exactness(one) > exactness(best) ? one : best),
    undefined,
  )?.finding;
}

function describe(
  { task, runs }: ExaminedArm,
  identity: string,
  finding: Finding | undefined,
  error: KnownError | undefined,
  found: number,
) {
  const { description, quote = error?.quote } = finding ?? {};
  const category = error?.category ?? finding?.category;
  const severity = error?.severity ?? finding?.severity;
  return {
    title: finding?.title ?? error?.description ?? identity,
    description,
    quote,
    category,
    severity,
    /** The expected error it is; absent for a find that the ground truth lacks. */
    error: error?.id,
    places: placesOf(finding, error),
    found,
    runs: runs.length,
    /** By content, never by line: the same in the next run and after lines have moved. */
    fingerprint: fingerprintOf(task, identity, error),
  };
}

/** The place of the finding. One without lines or file gets those of the error it matches. */
function placesOf(finding: Finding | undefined, error: KnownError | undefined): Location[] {
  const { file, section, lines } = finding ?? {};
  const known = (error?.locations ?? []).filter((place) => place.file !== undefined);
  const own: Location = { file, section, lines };
  if (file === undefined) return known.length > 0 ? known : [own];
  if (lines !== undefined) return [own];
  const sameFile = known.filter((place) => place.file === file);
  return sameFile.length > 0 ? sameFile : [own];
}

/** The words of the error it is, or its own place and words as the matcher knows it again. */
function fingerprintOf(task: string, identity: string, error: KnownError | undefined): string {
  const content =
    error === undefined
      ? [task, identity]
      : [task, error.category, normaliseText(error.quote ?? error.description).toLowerCase()];
  return hash('sha256', JSON.stringify(content)).slice(0, 32);
}

function rank({ severity }: ConfirmedFinding): number {
  return severity === undefined ? SEVERITIES.length : SEVERITIES.indexOf(severity);
}
