/** A question with a few answers, of which one is chosen. */
import './choices.css';

type Answer<Value extends string> = { readonly value: Value; readonly name: string };

export function Choices<Value extends string>({
  label,
  name,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly name: string;
  readonly choices: readonly Answer<Value>[];
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <fieldset class="choose">
      <legend>{label}</legend>
      <div class="choices">
        {choices.map(({ value, name: shown }) => (
          <label key={value} class="choice">
            <input type="radio" name={name} value={value} onChange={() => onChoose(value)} />
            <span>
              {/^\d$/.test(value) && <b>{value} </b>}
              {shown}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A few choices side by side, one of them taken. */
export function Segments({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}) {
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {choices.map(({ value, name }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
