/** What the forms of the blind steps share: one question at a time, saved as soon as it is answered. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asProblem, type Problem, post } from '../../api/client.ts';
import { Card } from '../../parts/card.tsx';
import { Form, type Sending, TextField, useSending } from '../../parts/form.tsx';
import type { Desk, Finding, KnownError, Submitted, ToMatch } from './shapes.ts';

export type At = { readonly folder: string; readonly by: string };

export type StepProps = {
  readonly at: At;
  readonly of: number;
  readonly onDone: (receipt?: string | null) => void;
  /** Something was written that is not saved yet. */
  readonly onTyped: () => void;
  /** The protocol has gone on elsewhere: this was not saved. */
  readonly onRefused: (refused: Refused) => void;
};

export type Refused = { readonly problem: Problem; readonly words: readonly string[] };

/** Saves the answers of a step; a refused answer is returned with its text. */
function useHandIn(step: 'assessments' | 'predictions' | 'matches', { at, onDone, onRefused }: StepProps) {
  const sending = useSending();
  const handIn = (answers: readonly object[]) =>
    sending.send(async () => {
      try {
        const body = { ...at, answers, only_first: true };
        const { receipt } = await post<Submitted>(`workflow/blind/${step}`, body);
        onDone(receipt);
      } catch (fault) {
        const problem = asProblem(fault);
        if (problem.code !== 'BLIND_ORDER') throw fault;
        onRefused({ problem, words: answers.flatMap(wordsOf) });
      }
    });
  return { handIn, sending };
}

function wordsOf(answer: object): string[] {
  return Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [`${name}: ${value}`] : [],
  );
}

function StepForm({
  done,
  of,
  sending,
  last,
  onTyped,
  onSubmit,
  children,
}: Pick<StepProps, 'onTyped'> & {
  readonly done: number;
  readonly of: number;
  readonly sending: Sending;
  /** The step is sealed with this answer. */
  readonly last: boolean;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <Form
      sending={sending}
      submit={last ? 'Save and seal the step' : 'Save and go on'}
      onSubmit={onSubmit}
      onInput={onTyped}
    >
      <p class="sub" role="status">
        {done + 1} of {of}
        {last && ': this answer seals the step, and nothing can be changed afterwards'}
      </p>
      {children}
    </Form>
  );
}

function Radios<Value extends string>({
  legend,
  name,
  choices,
  value,
  onChoose,
}: {
  readonly legend: string;
  readonly name: string;
  readonly choices: readonly (readonly [Value, string])[];
  readonly value: Value | undefined;
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="row">
        {choices.map(([one, words]) => (
          <label key={one} class="radio">
            <input
              type="radio"
              name={name}
              value={one}
              required
              checked={value === one}
              onChange={() => onChoose(one)}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const ANSWER = { rows: 2, maxLength: 20_000 } as const;

/** What a finding says and where: never which run or workflow it comes from. */
function ShownFinding({ finding }: { readonly finding: Finding }) {
  const { id, title, description, category, severity, depth, quote } = finding;
  const where = [finding.file, finding.section, linesOf(finding.lines)].filter((part) => part !== undefined);
  const what = [category, severity?.toLowerCase(), depth?.toLowerCase()].filter((part) => part !== undefined);
  return (
    <article class="item" aria-label={`Finding ${id}`}>
      <h2>
        {id} {title}
      </h2>
      {description !== undefined && <p>{description}</p>}
      <p class="sub">{[...where, ...what].join(' · ')}</p>
      {quote !== undefined && <blockquote>{quote}</blockquote>}
    </article>
  );
}

function linesOf(lines: readonly number[] | undefined): string | undefined {
  if (lines === undefined || lines.length === 0) return undefined;
  const [from, to] = lines;
  return to === undefined || to === from ? `line ${from}` : `lines ${from}–${to}`;
}

const JUDGEMENTS = [
  ['ERROR', 'an error'],
  ['NO_ERROR', 'no error'],
  ['CANNOT_TELL', 'cannot tell'],
] as const;
type Judgement = (typeof JUDGEMENTS)[number][0];

const CONFIDENCES = [
  ['HIGH', 'high'],
  ['MEDIUM', 'medium'],
  ['LOW', 'low'],
] as const;
type Confidence = (typeof CONFIDENCES)[number][0];

/** Step 1: what does a finding say? The ground truth is sealed. */
export function AssessStep(props: StepProps & { readonly findings: readonly Finding[] }) {
  const [finding] = props.findings;
  return (
    <Card title="Step 1: what does this finding say?">
      {finding === undefined ? null : <AssessOne key={finding.id} finding={finding} {...props} />}
    </Card>
  );
}

function AssessOne({
  finding,
  findings,
  ...props
}: StepProps & { readonly finding: Finding; readonly findings: readonly Finding[] }) {
  const [judgement, setJudgement] = useState<Judgement>();
  const [error, setError] = useState('');
  const [evidence, setEvidence] = useState('');
  const [confidence, setConfidence] = useState<Confidence>();
  const { handIn, sending } = useHandIn('assessments', props);
  const isSure = judgement === 'ERROR' || judgement === 'NO_ERROR';
  const answer = {
    finding: finding.id,
    judgement,
    ...(judgement === 'ERROR' && { error }),
    ...(evidence.trim() !== '' && { evidence }),
    ...(isSure && { confidence }),
  };
  return (
    <StepForm
      done={props.of - findings.length}
      of={props.of}
      last={findings.length === 1}
      sending={sending}
      onTyped={props.onTyped}
      onSubmit={() => handIn([answer])}
    >
      <ShownFinding finding={finding} />
      <Radios
        legend="It is"
        name="judgement"
        choices={JUDGEMENTS}
        value={judgement}
        onChoose={setJudgement}
      />
      {judgement === 'ERROR' && (
        <TextField
          {...ANSWER}
          label="What error does it stand for?"
          value={error}
          required
          onType={setError}
        />
      )}
      {judgement !== undefined && (
        <TextField
          {...ANSWER}
          label="What is the evidence?"
          value={evidence}
          required={isSure}
          onType={setEvidence}
        />
      )}
      {isSure && (
        <Radios
          legend="How sure are you?"
          name="confidence"
          choices={CONFIDENCES}
          value={confidence}
          onChoose={setConfidence}
        />
      )}
    </StepForm>
  );
}

const PREDICTIONS = [
  ['YES', 'yes'],
  ['MAYBE', 'maybe'],
  ['NO', 'no'],
  ['CANNOT_TELL', 'cannot tell'],
] as const;
type Prediction = (typeof PREDICTIONS)[number][0];

/** Step 2: will the review have found it? Showing the known errors is recorded, so it needs a click. */
export function PredictStep({
  errors,
  ...props
}: StepProps & { readonly errors: readonly KnownError[] | undefined }) {
  const [error] = errors ?? [];
  return (
    <Card title="Step 2: will the review have caught this?">
      {errors === undefined && <Reveal {...props} />}
      {error !== undefined && (
        <PredictOne key={error.id} error={error} open={errors?.length ?? 0} {...props} />
      )}
    </Card>
  );
}

function Reveal({ at, of, onDone }: StepProps) {
  const sending = useSending();
  const show = () =>
    sending.send(async () => {
      await post('workflow/blind/truth', at);
      onDone();
    });
  return (
    <Form sending={sending} submit="Show me the known errors" onSubmit={show}>
      <p>Your assessments are sealed. Next you see the {of} known errors, and the record says so.</p>
    </Form>
  );
}

function PredictOne({
  error,
  open,
  ...props
}: StepProps & { readonly error: KnownError; readonly open: number }) {
  const [prediction, setPrediction] = useState<Prediction>();
  const [why, setWhy] = useState('');
  const { handIn, sending } = useHandIn('predictions', props);
  return (
    <StepForm
      done={props.of - open}
      of={props.of}
      last={open === 1}
      sending={sending}
      onTyped={props.onTyped}
      onSubmit={() => handIn([{ error: error.id, prediction, ...(why.trim() !== '' && { why }) }])}
    >
      <article class="item" aria-label={`Error ${error.id}`}>
        <h2>
          {error.id} {error.severity.toLowerCase()} · {error.category}
        </h2>
        <p>{error.description}</p>
      </article>
      <Radios
        legend="The review caught it"
        name="prediction"
        choices={PREDICTIONS}
        value={prediction}
        onChoose={setPrediction}
      />
      <TextField
        {...ANSWER}
        label="Why, or why not?"
        value={why}
        required={prediction !== 'CANNOT_TELL'}
        onType={setWhy}
      />
    </StepForm>
  );
}

const LABELS = [
  ['Y', 'matches'],
  ['P', 'matches in part'],
  ['BONUS_VALID', 'right, but not among the known errors'],
  ['FALSE', 'wrong'],
  ['DUPLICATE', 'says what another finding says'],
  ['UNRESOLVED', 'cannot tell'],
] as const;
type Label = (typeof LABELS)[number][0];

type Matches = NonNullable<Desk['matches']>;

/** Step 3: which known error does a finding match? Shows the objective criteria and records the reason. */
export function MatchStep(props: StepProps & { readonly matches: Matches }) {
  const { findings, errors, scope } = props.matches;
  const [finding] = findings;
  return (
    <Card
      title="Step 3: which known error does this finding match?"
      aside={scope === 'disputes' ? 'only what two others dispute' : undefined}
    >
      {finding === undefined ? (
        <Nothing {...props} />
      ) : (
        <MatchOne key={finding.id} finding={finding} open={findings.length} errors={errors} {...props} />
      )}
    </Card>
  );
}

/** A third evaluator may find nothing in dispute. */
function Nothing(props: StepProps) {
  const { handIn, sending } = useHandIn('matches', props);
  return (
    <Form sending={sending} submit="Seal the step" onSubmit={() => handIn([])}>
      <p>Nothing is left to match.</p>
    </Form>
  );
}

function MatchOne({
  finding,
  open,
  errors,
  ...props
}: StepProps & { readonly finding: ToMatch; readonly open: number; readonly errors: readonly KnownError[] }) {
  const [label, setLabel] = useState<Label>();
  const [error, setError] = useState(finding.candidates[0]?.error ?? '');
  const [reason, setReason] = useState('');
  const { handIn, sending } = useHandIn('matches', props);
  const names = label === 'Y' || label === 'P' || label === 'DUPLICATE';
  const answer = {
    finding: finding.id,
    match: label,
    ...(names && error !== '' && { error }),
    reason,
  };
  return (
    <StepForm
      done={props.of - open}
      of={props.of}
      last={open === 1}
      sending={sending}
      onTyped={props.onTyped}
      onSubmit={() => handIn([answer])}
    >
      <ShownFinding finding={finding} />
      {finding.assessment !== undefined && (
        <p class="sub">
          You said blind: {finding.assessment.judgement.toLowerCase().replaceAll('_', ' ')}
          {finding.assessment.confidence !== undefined &&
            `, ${finding.assessment.confidence.toLowerCase()} confidence`}
          {finding.assessment.error !== undefined && `: ${finding.assessment.error}`}
        </p>
      )}
      <Candidates finding={finding} />
      <Radios legend="It" name="label" choices={LABELS} value={label} onChoose={setLabel} />
      {names && (
        <label class="field">
          Which error?
          <select
            required={label !== 'DUPLICATE'}
            value={error}
            onChange={({ currentTarget }) => setError(currentTarget.value)}
          >
            <option value="">choose one</option>
            {errors.map(({ id, description }) => (
              <option key={id} value={id}>
                {`${id} ${description.slice(0, 90)}`}
              </option>
            ))}
          </select>
        </label>
      )}
      <TextField {...ANSWER} label="Why?" value={reason} required onType={setReason} />
    </StepForm>
  );
}

function Candidates({ finding }: { readonly finding: ToMatch }) {
  if (finding.candidates.length === 0) {
    return <p class="sub">Place, quote and lines connect it with no known error.</p>;
  }
  return (
    <ul class="notes">
      {finding.candidates.map(({ error, strength, criteria, description, locations }) => (
        <li key={error}>
          <b>{error}</b> by {criteria.join(', ')} ({strength === 'Y' ? 'fully' : 'in part'}): {description}
          {locations?.map(
            (place) => ` · ${[place.file, place.section, linesOf(place.lines)].filter(Boolean).join(', ')}`,
          )}
        </li>
      ))}
    </ul>
  );
}
