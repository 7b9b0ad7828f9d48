/**
 * How well commits are found for sessions, against what the project's own tool recorded when they were made (precision and
 * recall of commits and of sessions). What that tool left in the commits is not read.
 *
 *     npx node bench/outcomes.ts FOLDER [--misses]
 *
 * The record is not complete: it lacks commits that the transcript shows the session make, and names commits that hold no line
 * of the transcript. Both are counted apart.
 *
 * FOLDER has `sessions/`, `repository.bundle` and `commits.json` (session → [commit, is on the default branch]).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionFacts } from '../src/session/evidence.ts';
import { hashLine, pathEnds } from '../src/session/fold/line-fingerprints.ts';
import { readAll } from '../src/session/ingest/read-all.ts';
import { judgeWork } from '../src/session/outcomes/judge-work.ts';
import { PatchReader } from '../src/session/outcomes/read-patches.ts';
import { linesOf } from '../src/session/outcomes/taken-over.ts';
import type { WorkOutcome } from '../src/session/outcomes/work-outcome.ts';

const [folder = '', ...flags] = process.argv.slice(2);
const truth = JSON.parse(readFileSync(join(folder, 'commits.json'), 'utf8')) as Record<
  string,
  [string, boolean][]
>;
const scratch = mkdtempSync(join(tmpdir(), 'assay-outcomes-'));
const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

try {
  const clone = join(scratch, 'clone');
  git('clone', '-q', '--no-checkout', join(folder, 'repository.bundle'), clone);
  git('-C', clone, 'fetch', '-q', 'origin', '+refs/heads/*:refs/remotes/origin/*');
  const subjects = git('-C', clone, 'log', '--all', '--format=%H %at %s').trim().split('\n');
  /** Copies of a commit have the same author's time and subject. */
  const groups = new Map(subjects.map((line) => [line.slice(0, 40), line.slice(41)]));
  const shasOf = (group: string): string[] =>
    [...groups].filter(([, one]) => one === group).map(([sha]) => sha);
  const files = readdirSync(join(folder, 'sessions')).map((name) => join(folder, 'sessions', name));
  const { sessions } = await readAll(files, { threads: 0 });
  const byName = new Map(sessions.map(({ path, facts }) => [nameOf(path), facts]));
  const started = performance.now();
  const known = [...byName.values()].map((facts) => ({ key: facts.sessionId, facts }));
  const rows = await judgeWork(known, {
    places: [{ to: clone }],
    environment: process.env,
    attributions: false,
  });
  const elapsed = performance.now() - started;
  const counts = { right: 0, wrong: 0, missed: 0, sessions: 0, claimed: 0, during: 0, foundDuring: 0 };
  const beyond = { made: 0, strange: 0, strangeSessions: 0 };
  const byEvidence = new Map<string, { right: number; all: number }>();
  for (const [name, commits] of Object.entries(truth)) {
    const wanted = new Set(commits.map(([sha]) => groups.get(sha) ?? sha));
    const row = rows.get(byName.get(name)?.sessionId ?? '');
    const found = new Set((row?.commits ?? []).map(({ sha }) => groups.get(sha) ?? sha));
    const right = [...found].filter((one) => wanted.has(one));
    counts.right += right.length;
    counts.wrong += found.size - right.length;
    counts.missed += wanted.size - right.length;
    counts.sessions += right.length > 0 ? 1 : 0;
    counts.claimed += found.size > 0 ? 1 : 0;
    for (const { sha, by } of row?.commits ?? []) {
      const known = byEvidence.get(by) ?? { right: 0, all: 0 };
      byEvidence.set(by, {
        right: known.right + (wanted.has(groups.get(sha) ?? sha) ? 1 : 0),
        all: known.all + 1,
      });
    }
    const named = byName.get(name);
    const unrecorded = (row?.commits ?? []).filter(({ sha }) => !wanted.has(groups.get(sha) ?? sha));
    beyond.made += unrecorded.filter(({ by }) => by === "git's own output").length;
    const strange = [...wanted].filter((one) => !found.has(one) && !holdsLineOf(clone, shasOf(one), named));
    beyond.strange += strange.length;
    beyond.strangeSessions += strange.length === wanted.size ? 1 : 0;
    const made = [...wanted].filter((one) => isDuring(one, byName.get(name)));
    counts.during += made.length;
    counts.foundDuring += made.filter((one) => found.has(one)).length;
    if (flags.includes('--misses') && (right.length < wanted.size || right.length < found.size))
      explain(
        name,
        row,
        [...found].filter((one) => !wanted.has(one)),
        [...wanted].filter((one) => !found.has(one)),
      );
  }
  const { right, wrong, missed } = counts;
  const total = Object.keys(truth).length;
  console.log(`commits: precision ${share(right, right + wrong)}, recall ${share(right, right + missed)}`);
  for (const [by, { right, all }] of byEvidence) console.log(`  by ${by}: precision ${share(right, all)}`);
  console.log(
    `  of those made while the transcript goes on: recall ${share(counts.foundDuring, counts.during)}`,
  );
  console.log(
    `sessions: of those with a commit a true one ${share(counts.sessions, counts.claimed)}, of all ${share(counts.sessions, total)}`,
  );
  console.log(
    `not recorded, but printed by the session's own git commit: ${beyond.made} of ${wrong}; with them precision ${share(right + beyond.made, right + wrong)}`,
  );
  console.log(
    `missed, and without a line of the transcript: ${beyond.strange} of ${missed}; without them recall ${share(right, right + missed - beyond.strange)}, of sessions a true one ${share(counts.sessions, total - beyond.strangeSessions)}`,
  );
  const states = Map.groupBy(rows.values(), ({ state }) => state);
  console.log([...states].map(([state, list]) => `${state} ${list.length}`).join(', '));
  console.log(`${sessions.length} sessions against ${subjects.length} commits in ${Math.round(elapsed)} ms`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Whether a commit added or removed any line that the session added or removed, in a file of the same name. */
function holdsLineOf(clone: string, shas: readonly string[], facts: SessionFacts | undefined): boolean {
  const lines = new Set(facts === undefined ? [] : linesOf(facts));
  let holds = false;
  const patches = new PatchReader((path, line, from) => {
    const hash = hashLine(line, pathEnds(path)[0] ?? 0, from)?.hash;
    holds ||= hash !== undefined && lines.has(hash);
  });
  for (const sha of shas)
    for (const line of git('-C', clone, 'show', '-m', '-U0', '--format=', sha).split('\n'))
      patches.take(line);
  return holds;
}

/** Between its first entry and ten minutes after its last. */
function isDuring(group: string, facts: SessionFacts | undefined): boolean {
  const at = Number(group.slice(0, group.indexOf(' '))) * 1000;
  const from = facts?.runs[0]?.startedAt ?? Number.POSITIVE_INFINITY;
  return at >= from && at <= (facts?.runs.at(-1)?.endedAt ?? 0) + 600_000;
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/(?:\.gemini)?\.jsonl?$/, '');
}

function share(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : part / whole).toFixed(2)} (${part} of ${whole})`;
}

function explain(name: string, row: WorkOutcome | undefined, wrong: string[], missed: string[]): void {
  console.log(
    name,
    row?.state,
    row?.linesWritten,
    row?.linesCommitted,
    row?.linesOnDefault,
    row?.linesSurviving,
  );
  for (const one of wrong) console.log('  not recorded:', one.slice(0, 90));
  for (const one of missed) console.log('  missed:', one.slice(0, 90));
}
