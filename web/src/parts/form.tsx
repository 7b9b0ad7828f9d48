/** Parts of forms: fields, and submitting. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/client.ts';
import { Failed } from './states.tsx';

export type Sending = {
  readonly send: (work: () => Promise<void>) => Promise<void>;
  readonly busy: boolean;
  readonly problem: Problem | undefined;
};

/** Nothing is sent twice at a time, and what the server refuses is shown in its own words. */
export function useSending(): Sending {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const send = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (fault) {
      setProblem(asProblem(fault));
    } finally {
      setBusy(false);
    }
  };
  return { send, busy, problem };
}

export function Form({
  sending: { busy, problem },
  submit,
  disabled = false,
  onSubmit,
  onInput,
  more,
  children,
}: {
  readonly sending: Pick<Sending, 'busy' | 'problem'>;
  /** The words on its button. */
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onSubmit: () => void;
  readonly onInput?: () => void;
  /** Shown next to the button. */
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      class="form"
      onInput={onInput}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {problem !== undefined && <Failed title={problem.message} detail={problem.detail} />}
      <div class="row">
        <button type="submit" class="primary" disabled={busy || disabled}>
          {submit}
        </button>
        {more}
      </div>
    </form>
  );
}

export function TextField({
  label,
  value,
  onType,
  required = false,
  maxLength = 200,
  rows,
}: {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly required?: boolean;
  readonly maxLength?: number;
  /** Several lines. */
  readonly rows?: number;
}) {
  const shared = { value, required, maxLength };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: one of two controls is always in it.
    <label class="field">
      {label}
      {rows === undefined ? (
        <input {...shared} onInput={({ currentTarget }) => onType(currentTarget.value)} />
      ) : (
        <textarea {...shared} rows={rows} onInput={({ currentTarget }) => onType(currentTarget.value)} />
      )}
    </label>
  );
}
