import { describe, expect, it } from 'vitest';
import type { Assessment, Matching, Prediction } from './answers.ts';
import { checkBias } from './bias-check.ts';
import { freeze, labelledRuns } from './material.ts';
import { apply, type BlindAction, emptyState, type State } from './protocol.ts';
import {
  ASSESSMENTS,
  blindId,
  examine,
  MATCHES,
  MATERIAL,
  PREDICTIONS,
  RUN,
  TRUTH,
} from './testing/sample.ts';

function begin(material = MATERIAL): State {
  return emptyState('blind', {
    findings: new Set(material.findings.map(({ id }) => id)),
    errors: new Set(TRUTH.errors.map(({ id }) => id)),
  });
}

let seq = 1;
function act(state: State, who: string, action: BlindAction) {
  seq += 1;
  apply(state, who, seq, 'now', action);
}

type Answers = {
  assess?: Assessment[];
  predict?: Prediction[];
  match?: Matching[];
  revise?: Assessment[];
  scope?: 'disputes';
};

function evaluate(
  state: State,
  who: string,
  { assess = ASSESSMENTS, predict = PREDICTIONS, match = MATCHES, revise, scope }: Answers = {},
) {
  act(state, who, { step: 'assess', answers: assess });
  act(state, who, { step: 'seal', seals: 'assess', scope: 'all' });
  act(state, who, { step: 'show-truth' });
  if (revise !== undefined) act(state, who, { step: 'revise', answers: revise });
  act(state, who, { step: 'predict', answers: predict });
  act(state, who, { step: 'seal', seals: 'predict', scope: 'all' });
  act(state, who, { step: 'match', answers: match });
  act(state, who, { step: 'seal', seals: 'match', scope: scope ?? 'all' });
}

function checkOne(answers: Answers) {
  const state = begin();
  evaluate(state, 'ada', answers);
  const [ada] = checkBias(MATERIAL, state).evaluators;
  if (ada === undefined) throw new Error('nobody evaluated');
  return ada;
}

const relabel = (original: string, label: Omit<Matching, 'finding' | 'reason'>): Matching[] =>
  MATCHES.map((one) =>
    one.finding === blindId(original) ? { finding: one.finding, reason: 'said so', ...label } : one,
  );

describe('checkBias', () => {
  it('sees no bias where labels follow the criteria and nothing was changed', () => {
    const ada = checkOne({});
    expect(ada.flagged).toBe(false);
    expect(ada.departures).toEqual({ generous: 0, strict: 0 });
    expect(ada.blindAgainstFinal).toMatchObject({ n: 4, same: 4, raised: [], lowered: [] });
  });

  it('first indicator: an assessment changed after the ground truth was seen, with its direction', () => {
    const blind = ASSESSMENTS[0] as Extract<Assessment, { judgement: 'ERROR' }>;
    const direction = (to: Assessment) =>
      checkOne({ revise: [to] }).indicators.changedAfterTruth.map((one) => one.direction);
    expect(direction({ ...blind, confidence: 'HIGH' })).toEqual(['raised']);
    expect(direction({ ...blind, confidence: 'LOW' })).toEqual(['lowered']);
    expect(direction({ finding: blind.finding, judgement: 'CANNOT_TELL' })).toEqual(['lowered']);
    expect(direction({ ...blind, error: 'what the ground truth says' })).toEqual(['reworded']);
    expect(checkOne({ revise: [{ ...blind, confidence: 'HIGH' }] }).flagged).toBe(true);
  });

  it('sees a sealed judgement that the label contradicts, though nobody declared a change', () => {
    const sealed = (judgement: 'ERROR' | 'NO_ERROR', confidence: 'HIGH' | 'LOW'): Assessment[] =>
      ASSESSMENTS.map((one) =>
        one.finding !== blindId('a')
          ? one
          : judgement === 'ERROR'
            ? { finding: one.finding, judgement, error: 'x', evidence: 'y', confidence }
            : { finding: one.finding, judgement, evidence: 'y', confidence },
      );
    const raised = checkOne({ assess: sealed('NO_ERROR', 'HIGH') });
    expect(raised.indicators.contradicted).toEqual([
      { finding: blindId('a'), judgement: 'NO_ERROR', confidence: 'HIGH', match: 'Y', error: 'E1' },
    ]);
    expect(raised.flagged).toBe(true);
    const refused = checkOne({ assess: sealed('ERROR', 'HIGH'), match: relabel('a', { match: 'FALSE' }) });
    expect(refused.indicators.contradicted).toMatchObject([{ judgement: 'ERROR', match: 'FALSE' }]);
    // Low confidence promises nothing, and "cannot tell" in the end contradicts nothing.
    expect(checkOne({ assess: sealed('NO_ERROR', 'LOW') }).indicators.contradicted).toEqual([]);
    const open = { assess: sealed('ERROR', 'HIGH'), match: relabel('a', { match: 'UNRESOLVED' }) };
    expect(checkOne(open).indicators.contradicted).toEqual([]);
  });

  it('second indicator: generous matching of an error that was predicted NO', () => {
    // b fits E2 only in part; E2 was predicted NO.
    expect(
      checkOne({ match: relabel('b', { match: 'Y', error: 'E2' }) }).indicators.generousAgainstNo,
    ).toMatchObject([
      { finding: blindId('b'), error: 'E2', because: 'criteria say partial match, labelled full' },
    ]);
    expect(
      checkOne({ match: relabel('d', { match: 'P', error: 'E2' }) }).indicators.generousAgainstNo,
    ).toMatchObject([
      { finding: blindId('d'), error: 'E2', because: 'no objective criterion connects the two' },
    ]);
    // The same generosity towards an error predicted otherwise is counted, but is not this indicator.
    const towardsYes = checkOne({ match: relabel('d', { match: 'P', error: 'E1' }) });
    expect(towardsYes.indicators.generousAgainstNo).toEqual([]);
    expect(towardsYes.departures.generous).toBe(1);
  });

  it('third indicator: strict matching of an error that was predicted YES', () => {
    expect(checkOne({ match: relabel('a', { match: 'FALSE' }) }).indicators.strictAgainstYes).toMatchObject([
      { finding: blindId('a'), error: 'E1', because: 'criteria (lines) fit, labelled FALSE' },
    ]);
    expect(
      checkOne({ match: relabel('a', { match: 'P', error: 'E1' }) }).indicators.strictAgainstYes,
    ).toMatchObject([{ because: 'criteria say full match, labelled partial' }]);
    // Rejecting what fits E2, predicted NO, is strict but not this indicator.
    const againstNo = checkOne({ match: relabel('b', { match: 'FALSE' }) });
    expect(againstNo.indicators.strictAgainstYes).toEqual([]);
    expect(againstNo.departures.strict).toBe(1);
  });

  it('does not call it strict when another finding of the run has the error', () => {
    const match = relabel('a', { match: 'DUPLICATE' }).map((one) =>
      one.finding === blindId('d') ? { ...one, match: 'Y' as const, error: 'E1' } : one,
    );
    expect(checkOne({ match }).indicators.strictAgainstYes).toEqual([]);
  });

  it('gives kappa between blind and final, and the findings that moved', () => {
    const [first, second, ...rest] = MATERIAL.findings.map(({ id }) => id);
    const no: Assessment = { finding: first ?? '', judgement: 'NO_ERROR', evidence: 'x', confidence: 'LOW' };
    const assess = [no, ...ASSESSMENTS.slice(1)];
    const match: Matching[] = [first, second, ...rest].map((finding, i) =>
      i === 1
        ? { finding: finding ?? '', match: 'FALSE', reason: 'x' }
        : { finding: finding ?? '', match: 'BONUS_VALID', reason: 'x' },
    );
    // blind: no error error error; final: error no error error. Agreement 2 of 4; by chance 0.25² + 0.75² = 0.625.
    const { blindAgainstFinal } = checkOne({ assess, match });
    expect(blindAgainstFinal).toMatchObject({ n: 4, same: 2, raised: [first], lowered: [second] });
    const { kappa } = blindAgainstFinal;
    expect(kappa.measured && kappa.value).toBeCloseTo((0.5 - 0.625) / (1 - 0.625), 12);
  });

  it('holds predictions against what the final labels detect', () => {
    // E1 and E3 were predicted YES and are matched; E2 was predicted NO and is matched in part: (0 − 1)² / 3.
    const { predictions } = checkOne({});
    expect(predictions.brier).toMatchObject({ value: 1 / 3, n: 3 });
    expect(predictions.cannotTell).toBe(1);
  });

  it('keeps all labels of a dispute, takes the majority, and leaves who only settled out of the agreement', () => {
    const state = begin();
    evaluate(state, 'ada');
    evaluate(state, 'bob', { match: relabel('a', { match: 'FALSE' }) });
    evaluate(state, 'cay', {
      match: MATCHES.filter(({ finding }) => finding === blindId('a')),
      scope: 'disputes',
    });
    const { decisions, agreement, detected } = checkBias(MATERIAL, state);
    const settled = decisions.find(({ finding }) => finding === blindId('a'));
    expect(settled).toMatchObject({
      state: 'majority',
      decision: { match: 'Y', error: 'E1', by: 'ada' },
      original: 'a',
      run: 'first',
    });
    expect(settled?.labels.map(({ by, match }) => [by, match])).toEqual([
      ['ada', 'Y'],
      ['bob', 'FALSE'],
      ['cay', 'Y'],
    ]);
    expect(agreement).toMatchObject({ settlers: ['cay'], settled: 1, disputed: 0 });
    expect(agreement.pairs).toMatchObject([{ authors: ['ada', 'bob'], n: 4, same: { value: 0.75 } }]);
    expect(detected.get('E1')).toBe('detected');
  });

  it('calls an error undecided while only disputed labels match it', () => {
    const state = begin();
    evaluate(state, 'ada');
    evaluate(state, 'bob', { match: relabel('a', { match: 'FALSE' }) });
    const { detected } = checkBias(MATERIAL, state);
    expect([...detected]).toEqual([
      ['E1', 'undecided'],
      ['E2', 'detected'],
      ['E3', 'detected'],
      ['E4', 'missed'],
    ]);
  });

  it('counts an answer about the same words for every run that has them', () => {
    const material = freeze(TRUTH, [RUN, { ...RUN, run: 'second' }], examine);
    const state = begin(material);
    evaluate(state, 'ada');
    const { detected, decisions } = checkBias(material, state);
    expect(detected.get('E1')).toBe('detected');
    expect(decisions.map(({ runs }) => runs)).toEqual([2, 2, 2, 2]);
    const runs = labelledRuns(material, state) as { findings: { labels: unknown[] }[] }[];
    expect(runs.map(({ findings }) => findings.map(({ labels }) => labels.length))).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ]);
  });

  it('calls an error detected when more than half of the runs have it', () => {
    // Each in its own words, or they would be judged together.
    const inWords = (run: string) => ({
      ...RUN,
      run,
      findings: RUN.findings.map((one) => ({ ...one, title: `${one.title}, ${run}` })),
    });
    const material = freeze(TRUTH, [RUN, inWords('second'), inWords('third')], examine);
    const state = begin(material);
    const findings = material.findings.map(({ id, run, finding }) => ({ id, run, original: finding.id }));
    evaluate(state, 'ada', {
      assess: findings.map(({ id }) => ({ finding: id, judgement: 'CANNOT_TELL' })),
      match: findings.map(({ id, run, original }) => {
        const error = original === 'a' && run < 2 ? 'E1' : original === 'b' && run < 1 ? 'E2' : undefined;
        return {
          finding: id,
          reason: 'x',
          ...(error === undefined ? { match: 'FALSE' } : { match: 'Y', error }),
        };
      }),
    });
    const { detected } = checkBias(material, state);
    expect([detected.get('E1'), detected.get('E2')]).toEqual(['detected', 'missed']);
  });
});
