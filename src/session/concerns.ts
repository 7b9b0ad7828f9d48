/** What was seen in a session that a person would want to look at, in words they recognise: what they did, and what became of it. */
import type { AgentRunFacts, RequestTrait, SessionFacts } from './evidence.ts';
import type { ScoredRun } from './score.ts';
import type { ScoredSession } from './score-session.ts';
import type { Reading } from './signals/signal.ts';

type Sighting = { readonly weight: number; readonly words: string };
export type Concerns = { readonly weight: number; readonly why: string };

/** Less than this is no reason to look. */
export const WORTH_A_LOOK = 2;
const MOST_SAID = 3;

export function concernsOf(session: ScoredSession, facts: SessionFacts): Concerns {
  const ofRuns = session.runs.flatMap((run, i) => ofRun(run, facts.runs[i]));
  const isSaid = ofRuns.some(({ words }) => words.endsWith(NOT_COMMITTED));
  const found = [...ofRuns, ...(isSaid ? [] : ofWork(session)), ...ofCost(session)].sort(
    (a, b) => b.weight - a.weight,
  );
  const said = [...new Set(found.map(({ words }) => words))].slice(0, MOST_SAID);
  return { weight: found.reduce((sum, { weight }) => sum + weight, 0), why: said.join('; ') };
}

function ofRun(scored: ScoredRun, run: AgentRunFacts | undefined): Sighting[] {
  if (scored.specialCase !== undefined) return ofSpecialCase(scored);
  if (run === undefined) return [];
  return [...ofPerson(run), ...ofEnd(scored, run), ...ofWords(run), ...ofCalls(run)];
}

/** An idle run is as it should be, unless it came to nothing or burned money to say so. */
function ofSpecialCase({ specialCase, specialCaseReason, q }: ScoredRun): Sighting[] {
  const isBad = specialCase === 'empty' || specialCase === 'cron-burned';
  if (!isBad || q === undefined || specialCaseReason === undefined) return [];
  return [{ weight: 4 * (1 - q), words: specialCaseReason }];
}

function ofPerson({
  corrections,
  correctionLines,
  correctedBy,
  tools,
  interrupts,
}: AgentRunFacts): Sighting[] {
  const denied = tools.denied - (correctedBy?.denied ?? 0);
  const stopped = interrupts - (correctedBy?.interrupted ?? 0);
  // A call that was forbidden, with a reason or without, has done no harm.
  const prevented = correctedBy?.denied ?? 0;
  const weight = Math.min(8, 2 * (corrections - prevented) + prevented);
  return [
    ...some(
      corrections,
      weight / Math.max(1, corrections),
      8,
      `you corrected it ${times(corrections)}${at(correctionLines)}`,
    ),
    ...some(denied, 1, 4, `you said no to ${denied === 1 ? 'one of its calls' : `${denied} of its calls`}`),
    ...some(stopped, 0.5, 1.5, `you stopped it ${times(stopped)}`),
  ];
}

function ofEnd(scored: ScoredRun, run: AgentRunFacts): Sighting[] {
  const state = readingOf(scored, 'outcome', 'state-changed');
  const accepted = readingOf(scored, 'outcome', 'downstream-acceptance');
  const ended = readingOf(scored, 'completion', 'ended-normally');
  const found: Sighting[] = [];
  if (run.gaveUp === true) found.push({ weight: 4, words: 'it says itself that it did not succeed' });
  else if (ended?.measured && ended.value === 0)
    found.push({ weight: run.end === 'aborted' ? 1 : 3, words: `${ended.because}${at(ended.lines)}` });
  if (run.work?.check?.passed === false && run.end !== 'open')
    found.push({
      weight: 4,
      words: `after its last change: ${run.work.check.what}${at([run.work.check.line])}`,
    });
  else if (state?.measured && state.thin === true)
    found.push({ weight: 1, words: `${state.because}${at(state.lines)}` });
  // Half of it, or more, came to nothing.
  else if (state?.measured && state.value < 0.5)
    found.push({ weight: 2 * (1 - state.value), words: state.because });
  if (accepted?.measured && accepted.value < 0.5)
    found.push({ weight: 3 * (1 - accepted.value), words: `${accepted.because}${at(accepted.lines)}` });
  return found;
}

const ASKS: readonly RequestTrait[] = ['question', 'code-request', 'explain-request', 'plan-request'];

/** Courtesies are no answer to what asks for one. */
function ofWords({ outputChars, fillerChars, promised, tools, requestTraits }: AgentRunFacts): Sighting[] {
  const isFiller = outputChars > 0 && outputChars <= fillerChars && tools.succeeded === 0;
  const asked = ASKS.some((trait) => requestTraits.includes(trait));
  return isFiller && asked && promised !== true
    ? [{ weight: 3, words: 'it answered with nothing but courtesies' }]
    : [];
}

const MANY_ERRORS = 0.15;

function ofCalls({ loops, tools }: AgentRunFacts): Sighting[] {
  const failing = tools.failed >= 3 && tools.failed > tools.calls * MANY_ERRORS;
  return [
    ...some(loops.persistent, 1.5, 3, `it ran into the same error again and again${at(loops.lines)}`),
    ...(failing ? [{ weight: 1, words: `${tools.failed} of its ${tools.calls} calls failed` }] : []),
  ];
}

const NOT_COMMITTED = 'nothing of its work was committed';

function ofWork({ work }: ScoredSession): Sighting[] {
  return work?.state === 'not-committed' ? [{ weight: 2, words: NOT_COMMITTED }] : [];
}

/** A dollar is worth a question; ten of them are not worth ten questions. */
function ofCost(session: ScoredSession): Sighting[] {
  const { costUsd = 0, costIsLowerBound } = session;
  if (costUsd < 1 || session.verified !== 'no' || session.specialCase !== undefined) return [];
  const said = `${costIsLowerBound ? 'at least ' : ''}$${costUsd.toFixed(2)}`;
  return [{ weight: Math.min(3, 1 + Math.log10(costUsd)), words: `it cost ${said}, result unverified` }];
}

function readingOf(run: ScoredRun, category: 'outcome' | 'completion', id: string): Reading | undefined {
  return run.categories[category].signals.find((signal) => signal.id === id)?.reading;
}

function some(n: number, each: number, most: number, words: string): Sighting[] {
  return n > 0 ? [{ weight: Math.min(most, n * each), words }] : [];
}

function times(n: number): string {
  return n === 1 ? 'once' : `${n} times`;
}

function at(lines: readonly number[]): string {
  const [line] = lines;
  return line === undefined ? '' : ` (line ${line})`;
}

/** What took most of the score away, in a few words with the line that shows it. */
export function whyLow(session: ScoredSession, most = 2): string {
  const special = session.runs.find((run) => run.specialCaseReason !== undefined);
  if (session.specialCase !== undefined && special?.specialCaseReason !== undefined)
    return special.specialCaseReason;
  const losses = session.runs
    .filter((run) => run.specialCase === undefined)
    .flatMap((run) => Object.values(run.categories).flatMap((category) => category.signals))
    .filter((signal) => signal.cost > 0.005)
    .toSorted((a, b) => b.cost - a.cost);
  const seen = new Set<string>();
  const words: string[] = [];
  for (const { id, reading } of losses) {
    if (seen.has(id) || !reading.measured) continue;
    seen.add(id);
    const [line] = reading.lines;
    words.push(`${reading.because}${line === undefined ? '' : ` (line ${line})`}`);
    if (words.length === most) break;
  }
  return words.join('; ') || 'nothing stands out';
}
