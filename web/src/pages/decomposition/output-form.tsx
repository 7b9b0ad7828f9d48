import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type {
  decompositionOpinion,
  decompositionRated,
} from '../../../../src/api/schema/decomposition-rating.ts';
import { formatAmount } from '../../../../src/report/number.ts';
import { post } from '../../api/client.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Choices } from '../../parts/choices.tsx';
import { ProblemNote } from '../../parts/states.tsx';
import { ConceptOpinions, type Opinion, type Opinions } from './concept-opinions.tsx';
import type { QueuedOutput } from './rate-outputs-page.tsx';

type Sent = z.input<typeof decompositionOpinion>;
type YesOrNo = 'yes' | 'no';

/** What a person says of an output: of the whole, of its concepts, and why. */
export function OutputForm({
  item: { decomposition, concepts },
  onRated,
  onPass,
}: {
  readonly item: QueuedOutput;
  readonly onRated: (words: string) => void;
  readonly onPass: () => void;
}) {
  const [acceptable, setAcceptable] = useState<YesOrNo>();
  const [fabricated, setFabricated] = useState<YesOrNo>();
  const [opinions, setOpinions] = useState<Opinions>({});
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (acceptable === undefined) return;
    setBusy(true);
    setProblem(undefined);
    const body: Sent = {
      acceptable: acceptable === 'yes',
      ...(fabricated !== undefined && { fabricated: fabricated === 'yes' }),
      ...(reason.trim() !== '' && { reason }),
      concepts: Object.entries(opinions).flatMap(([label, opinion]) => sentConcept(label, opinion)),
    };
    try {
      const path = `decompositions/${encodeURIComponent(decomposition.id)}/ratings`;
      await post<z.infer<typeof decompositionRated>>(path, body);
      onRated(savedWords(body));
    } catch (fault) {
      setProblem(asProblem(fault));
      setBusy(false);
    }
  };
  return (
    <form class="stack" onSubmit={save}>
      <Choices
        label="As a whole, is it acceptable?"
        name="acceptable"
        choices={[
          { value: 'yes', name: 'acceptable' },
          { value: 'no', name: 'not acceptable' },
        ]}
        onChoose={setAcceptable}
      />
      {concepts.length > 0 ? (
        <ConceptOpinions concepts={concepts} opinions={opinions} onSay={setOpinions} />
      ) : (
        <Choices
          label="Is something in it made up? (may be left out)"
          name="fabricated"
          choices={[
            { value: 'no', name: 'nothing is made up' },
            { value: 'yes', name: 'something is made up' },
          ]}
          onChoose={setFabricated}
        />
      )}
      <label class="field">
        Why, in a few words (may be left out)
        <textarea
          rows={2}
          maxLength={4000}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      {problem !== undefined && <ProblemNote problem={problem} retry={() => setProblem(undefined)} />}
      <div class="row">
        <button type="submit" class="primary" disabled={busy || acceptable === undefined}>
          Save and go on
        </button>
        <button type="button" class="chip" onClick={onPass}>
          Pass over it
        </button>
      </div>
    </form>
  );
}

function sentConcept(label: string, { is, reason }: Opinion): NonNullable<Sent['concepts']> {
  if (is === undefined) return [];
  const why = is === 'right' || reason.trim() === '' ? {} : { reason };
  return [{ label, acceptable: is === 'right', fabricated: is === 'made up', ...why }];
}

function savedWords({ acceptable, concepts = [] }: Sent): string {
  const whole = acceptable ? 'Saved: acceptable' : 'Saved: not acceptable';
  return concepts.length === 0 ? `${whole}.` : `${whole}, with ${formatAmount(concepts.length, 'concept')}.`;
}
