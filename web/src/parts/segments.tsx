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
