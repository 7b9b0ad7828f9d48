/** What calls changed in the world: artifacts, attempts that failed, and evidence of a changed state. */
import type { ArtifactKind } from '../event.ts';
import type { EvidencePhrase } from './evidence-phrases.ts';
import { type CallOutcome, testsPassed } from './outcome.ts';
import { pointAt } from './run-of.ts';
import type { ArtifactState, Effect, OpenCall, RunState } from './state.ts';

/** Evidence that outlasts later doubts (a merge) ranks above evidence of the moment (a test run). */
export const RANK = { explicit: 3, final: 2, moment: 1 } as const;

function changesSomething(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.does === 'make' || effect.does === 'change');
}

export function tryEffects(run: RunState, effects: readonly Effect[]): void {
  if (changesSomething(effects)) run.changesAttempted += 1;
}

export function settleEffects(
  run: RunState,
  call: OpenCall,
  outcome: CallOutcome,
  text: string | undefined,
  line: number,
): void {
  if (call.effects.length === 0) return;
  if (changesSomething(call.effects)) {
    // What a person forbade was not attempted.
    if (outcome === 'denied') run.changesAttempted -= 1;
    if (outcome === 'failed') run.changesFailed += 1;
  }
  if (outcome === 'denied' || outcome === 'unknown') return;
  for (const effect of call.effects) {
    if (effect.does === 'make') noteArtifact(run, effect.artifact, outcome === 'succeeded', line);
    else if (effect.does === 'test') noteTests(run, testsPassed(outcome, text), line);
    else if (effect.does === 'state' && outcome === 'succeeded') {
      noteState(run, effect.final ? RANK.final : RANK.moment, 1, effect.what, line);
    }
  }
}

function noteArtifact(run: RunState, artifact: ArtifactKind, ok: boolean, line: number): void {
  const facts = artifactOf(run, artifact);
  if (ok) facts.made += 1;
  else facts.failed += 1;
  if (ok || facts.made === 0) pointAt(facts.lines, line);
}

export function noteStatedArtifact(run: RunState, artifact: ArtifactKind, ok: boolean, line: number): void {
  const facts = artifactOf(run, artifact);
  if (ok) facts.statedMade += 1;
  else facts.statedFailed += 1;
  if (ok || facts.made === 0) pointAt(facts.lines, line);
}

function artifactOf(run: RunState, artifact: ArtifactKind): ArtifactState {
  const known = run.artifacts.find((one) => one.artifact === artifact);
  if (known !== undefined) return known;
  const added = { artifact, made: 0, failed: 0, statedMade: 0, statedFailed: 0, lines: [] };
  run.artifacts.push(added);
  return added;
}

function noteTests(run: RunState, passed: boolean | undefined, line: number): void {
  if (passed === undefined) return;
  noteState(run, RANK.moment, passed ? 1 : 0, passed ? 'tests passed' : 'tests failed', line);
}

/** Later evidence of the same rank or a higher one replaces what was known. */
export function noteState(
  run: RunState,
  rank: number,
  value: number,
  what: EvidencePhrase,
  line: number,
): void {
  if (run.stateChange !== undefined && run.stateChange.rank > rank) return;
  run.stateChange = { value, what, line, rank };
}
