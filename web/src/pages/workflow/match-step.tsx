import { useState } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { Failed } from '../../parts/states.tsx';
import type { Desk, KnownError, ToMatch } from './shapes.ts';
import { linesOf, ShownFinding } from './shown-finding.tsx';
import { Radios, StepForm, type StepProps, TextArea, useHandIn } from './step-form.tsx';

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

/** Step 3: which known error does a finding match? Objective criteria are shown, the reason is written down. */
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
        <One key={finding.id} finding={finding} open={findings.length} errors={errors} {...props} />
      )}
    </Card>
  );
}

/** A third evaluator may find nothing in dispute. */
function Nothing(props: StepProps) {
  const { handIn, busy, problem } = useHandIn('matches', props);
  return (
    <div class="stack">
      <p>Nothing is left to match.</p>
      {problem !== undefined && <Failed title={problem.message} detail={problem.detail} />}
      <button type="button" class="primary" disabled={busy} onClick={() => handIn([])}>
        Seal the step
      </button>
    </div>
  );
}

function One({
  finding,
  open,
  errors,
  ...props
}: StepProps & { readonly finding: ToMatch; readonly open: number; readonly errors: readonly KnownError[] }) {
  const [label, setLabel] = useState<Label>();
  const [error, setError] = useState(finding.candidates[0]?.error ?? '');
  const [reason, setReason] = useState('');
  const { handIn, busy, problem } = useHandIn('matches', props);
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
      busy={busy}
      problem={problem}
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
      <TextArea label="Why?" value={reason} onType={setReason} />
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
