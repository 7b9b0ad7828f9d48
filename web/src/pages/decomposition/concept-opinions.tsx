import type { QueuedOutput } from './rate-outputs-page.tsx';

const VERDICTS = ['right', 'wrong', 'made up'] as const;
type Verdict = (typeof VERDICTS)[number];

export type Opinion = { readonly is: Verdict | undefined; readonly reason: string };
/** By the label of the concept; of most nobody says anything. */
export type Opinions = Readonly<Record<string, Opinion>>;

const NOTHING: Opinion = { is: undefined, reason: '' };

/** Each concept with its quote, and what a person says of it. A label that comes twice is one concept. */
export function ConceptOpinions({
  concepts,
  opinions,
  onSay,
}: {
  readonly concepts: QueuedOutput['concepts'];
  readonly opinions: Opinions;
  readonly onSay: (opinions: Opinions) => void;
}) {
  const each = [...new Map(concepts.map((one) => [one.label, one])).values()];
  return (
    <fieldset class="choose">
      <legend>Which concepts are right, wrong or made up? (may be left out)</legend>
      <ul class="opinions">
        {each.map((concept, index) => (
          <Concept
            key={concept.label}
            id={`concept-${index}`}
            concept={concept}
            opinion={opinions[concept.label] ?? NOTHING}
            onSay={(opinion) => onSay({ ...opinions, [concept.label]: opinion })}
          />
        ))}
      </ul>
    </fieldset>
  );
}

function Concept({
  id,
  concept: { label, quote },
  opinion,
  onSay,
}: {
  readonly id: string;
  readonly concept: QueuedOutput['concepts'][number];
  readonly opinion: Opinion;
  readonly onSay: (opinion: Opinion) => void;
}) {
  const isAgainst = opinion.is === 'wrong' || opinion.is === 'made up';
  return (
    <li class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={opinion.is ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onSay({ ...opinion, is: VERDICTS.find((one) => one === value) })
        }
      >
        <option value="">not said</option>
        {VERDICTS.map((verdict) => (
          <option key={verdict} value={verdict}>
            {verdict}
          </option>
        ))}
      </select>
      {quote !== null && <p class="sub">“{quote}”</p>}
      {isAgainst && (
        <input
          type="text"
          aria-label={`Why: ${label}`}
          placeholder="why (may be left out)"
          maxLength={4000}
          value={opinion.reason}
          onInput={({ currentTarget: { value } }) => onSay({ ...opinion, reason: value })}
        />
      )}
    </li>
  );
}
