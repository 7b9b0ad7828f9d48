import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Card } from '../../parts/card.tsx';
import { Failed } from '../../parts/states.tsx';
import type { KnownError } from './shapes.ts';
import { Radios, StepForm, type StepProps, TextArea, useHandIn } from './step-form.tsx';

const PREDICTIONS = [
  ['YES', 'yes'],
  ['MAYBE', 'maybe'],
  ['NO', 'no'],
  ['CANNOT_TELL', 'cannot tell'],
] as const;
type Prediction = (typeof PREDICTIONS)[number][0];

/** Step 2: will the review have caught it? Seeing the known errors is written down, so it is asked for. */
export function PredictStep({
  errors,
  ...props
}: StepProps & { readonly errors: readonly KnownError[] | undefined }) {
  const [error] = errors ?? [];
  return (
    <Card title="Step 2: will the review have caught this?">
      {errors === undefined && <Reveal {...props} />}
      {error !== undefined && <One key={error.id} error={error} open={errors?.length ?? 0} {...props} />}
    </Card>
  );
}

function Reveal({ at, of, onDone }: StepProps) {
  const [problem, setProblem] = useState<Problem>();
  const show = async () => {
    try {
      await post('workflow/blind/truth', at);
      onDone();
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  return (
    <div class="stack">
      <p>
        Your assessments are sealed. Now you will see the {of} known errors; that you have seen them is
        written down.
      </p>
      {problem !== undefined && <Failed title={problem.message} detail={problem.detail} />}
      <button type="button" class="primary" onClick={show}>
        Show me the known errors
      </button>
    </div>
  );
}

function One({ error, open, ...props }: StepProps & { readonly error: KnownError; readonly open: number }) {
  const [prediction, setPrediction] = useState<Prediction>();
  const [why, setWhy] = useState('');
  const { handIn, busy, problem } = useHandIn('predictions', props);
  return (
    <StepForm
      done={props.of - open}
      of={props.of}
      last={open === 1}
      busy={busy}
      problem={problem}
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
      <TextArea
        label="Why, or why not?"
        value={why}
        required={prediction !== 'CANNOT_TELL'}
        onType={setWhy}
      />
    </StepForm>
  );
}
