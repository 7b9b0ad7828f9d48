/** What the forms of the blind steps share: one question at a time, saved as soon as it is answered. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Failed } from '../../parts/states.tsx';
import type { Submitted } from './shapes.ts';

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

/** Saves answers of a step; what the server refuses is said in its own words. */
export function useHandIn(
  step: 'assessments' | 'predictions' | 'matches',
  { at, onDone, onRefused }: StepProps,
) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const handIn = async (answers: readonly object[]) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { receipt } = await post<Submitted>(`workflow/blind/${step}`, {
        ...at,
        answers,
        only_first: true,
      });
      onDone(receipt);
    } catch (fault) {
      const why = asProblem(fault);
      if (why.code === 'BLIND_ORDER') onRefused({ problem: why, words: answers.flatMap(wordsOf) });
      else setProblem(why);
    } finally {
      setBusy(false);
    }
  };
  return { handIn, busy, problem };
}

function wordsOf(answer: object): string[] {
  return Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [`${name}: ${value}`] : [],
  );
}

export function StepForm({
  done,
  of,
  busy,
  problem,
  last,
  onTyped,
  onSubmit,
  children,
}: Pick<StepProps, 'onTyped'> & {
  readonly done: number;
  readonly of: number;
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  /** The step is sealed with this answer. */
  readonly last: boolean;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      class="blind-form"
      onInput={onTyped}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <p class="sub" role="status">
        {done + 1} of {of}
        {last && ': with this answer the step is sealed, and what is sealed stays as it is'}
      </p>
      {children}
      {problem !== undefined && <Failed title={problem.message} detail={problem.detail} />}
      <button type="submit" class="primary" disabled={busy}>
        {last ? 'Save and seal the step' : 'Save and go on'}
      </button>
    </form>
  );
}

export function Radios<Value extends string>({
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

export function TextArea({
  label,
  value,
  required = true,
  onType,
}: {
  readonly label: string;
  readonly value: string;
  readonly required?: boolean;
  readonly onType: (value: string) => void;
}) {
  return (
    <label class="field">
      {label}
      <textarea
        rows={2}
        required={required}
        maxLength={20_000}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}
