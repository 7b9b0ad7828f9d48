import { useState } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import type { Finding } from './shapes.ts';
import { ShownFinding } from './shown-finding.tsx';
import { Radios, StepForm, type StepProps, TextArea, useHandIn } from './step-form.tsx';

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
      {finding === undefined ? null : <One key={finding.id} finding={finding} {...props} />}
    </Card>
  );
}

function One({
  finding,
  findings,
  ...props
}: StepProps & { readonly finding: Finding; readonly findings: readonly Finding[] }) {
  const [judgement, setJudgement] = useState<Judgement>();
  const [error, setError] = useState('');
  const [evidence, setEvidence] = useState('');
  const [confidence, setConfidence] = useState<Confidence>();
  const { handIn, busy, problem } = useHandIn('assessments', props);
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
      busy={busy}
      problem={problem}
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
        <TextArea label="What error does it stand for?" value={error} onType={setError} />
      )}
      {judgement !== undefined && (
        <TextArea label="What is the evidence?" value={evidence} required={isSure} onType={setEvidence} />
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
