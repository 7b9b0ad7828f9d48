/** What calls changed in the world: artifacts, attempts that failed, and evidence of a changed state. */
import type { ArtifactKind } from '../event.ts';
import type { EvidencePhrase } from './evidence-phrases.ts';
import { pointAt } from './runs.ts';
import type { Effect, OpenCall, RunState } from './state.ts';
import { noteChange, noteCheck, noteCommitted, notePush, noteTouch, type SeenResult } from './work.ts';

/** Evidence that outlasts later doubts (a merge) ranks above evidence of the moment (a test run). */
export const RANK = { explicit: 3, final: 2, moment: 1 } as const;

function changesSomething(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.does === 'make' || effect.does === 'change');
}

export function tryEffects(run: RunState, effects: readonly Effect[]): void {
  if (changesSomething(effects)) run.changesAttempted += 1;
}

export function settleEffects(run: RunState, call: OpenCall, seen: SeenResult, line: number): void {
  const { effects } = call;
  const { outcome } = seen;
  if (effects.length === 0) return;
  if (changesSomething(effects)) {
    // What a person forbade was not attempted.
    if (outcome === 'denied') {
      run.changesAttempted -= 1;
      run.changesDenied = (run.changesDenied ?? 0) + 1;
    }
    if (outcome === 'failed') run.changesFailed += 1;
  }
  if (outcome === 'denied' || outcome === 'unknown') return;
  const ok = outcome === 'succeeded';
  // `sed -i … && npm test`: it is the check that failed, after the change.
  const changed = ok || effects.some(({ does }) => does === 'check');
  for (const effect of effects) {
    if (effect.does === 'make') {
      noteArtifact(run, effect.artifact, ok, line);
      if (ok && effect.artifact === 'record') noteChange(run, line);
      if (ok && effect.artifact === 'commit') noteCommitted(run);
    } else if (effect.does === 'touch' && changed) noteTouch(run, effect.code, effect.file, line);
    else if (effect.does === 'check') noteCheck(run, effect, seen, line);
    else if (effect.does === 'state' && ok) {
      if (effect.what === 'pushed' || effect.what === 'pull request opened') notePush(run);
      noteState(run, effect.final ? RANK.final : RANK.moment, 1, effect.what, line);
    }
  }
}

function noteArtifact(run: RunState, artifact: ArtifactKind, ok: boolean, line: number): void {
  const facts = artifactOf(run, artifact, line, ok);
  if (ok) facts.made += 1;
  else facts.failed += 1;
}

export function noteStatedArtifact(run: RunState, artifact: ArtifactKind, ok: boolean, line: number): void {
  artifactOf(run, artifact, line, ok);
  run.seen.stated[artifact] ??= { made: 0, failed: 0 };
  run.seen.stated[artifact][ok ? 'made' : 'failed'] += 1;
}

function artifactOf(
  run: RunState,
  artifact: ArtifactKind,
  line: number,
  ok: boolean,
): RunState['artifacts'][number] {
  let facts = run.artifacts.find((one) => one.artifact === artifact);
  if (facts === undefined) {
    facts = { artifact, made: 0, failed: 0, lines: [] };
    run.artifacts.push(facts);
  }
  if (ok || facts.made === 0) pointAt(facts.lines, line);
  return facts;
}

/** Artifacts as often as the calls show them or the format states them, whichever is more. */
export function artifactsOf({ artifacts, seen: { stated } }: RunState): RunState['artifacts'] {
  return artifacts.map((one) => ({
    artifact: one.artifact,
    made: Math.max(one.made, stated[one.artifact]?.made ?? 0),
    failed: Math.max(one.failed, stated[one.artifact]?.failed ?? 0),
    lines: [...one.lines],
  }));
}

/** Later evidence of the same rank or a higher one replaces what was known. */
export function noteState(
  run: RunState,
  rank: number,
  value: number,
  what: EvidencePhrase,
  line: number,
): void {
  if (run.seen.stateChange !== undefined && run.seen.stateChange.rank > rank) return;
  run.seen.stateChange = { value, what, line, rank };
}
