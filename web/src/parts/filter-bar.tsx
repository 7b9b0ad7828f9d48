/** Filters that live in the address: a view with filters is a link. */
import { useEffect, useState } from 'preact/hooks';
import { choose, place } from '../router/location.ts';

export type Filter = {
  /** Its name in the address. */
  readonly key: string;
  readonly label: string;
  /** Shown while nothing is chosen. */
  readonly any: string;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
};

/** What is typed; the first one is where `/` leads. */
export type TypedFilter = Pick<Filter, 'key' | 'label'>;

const TYPED_MS = 250;
const NONE: readonly never[] = [];

export function FilterBar({
  search,
  typed = search === undefined ? NONE : [{ key: 'search', label: search }],
  days = NONE,
  filters = NONE,
}: {
  /** What the search field looks through; without it there is none. */
  readonly search?: string;
  readonly typed?: readonly TypedFilter[];
  /** Days in the form 2026-11-30. */
  readonly days?: readonly TypedFilter[];
  readonly filters?: readonly Filter[];
}) {
  const { query } = place.value;
  const set = [...typed, ...days, ...filters].flatMap(({ key }) => (query.get(key) ? [key] : []));
  return (
    <search class="filters">
      {typed.map((field) => (
        <TypedField key={field.key} field={field} />
      ))}
      {days.map(({ key, label }) => (
        <label key={key} class="day">
          {label}{' '}
          <input
            type="date"
            class={query.get(key) ? 'chip on' : 'chip'}
            value={query.get(key) ?? ''}
            onChange={({ currentTarget }) => choose({ [key]: currentTarget.value })}
          />
        </label>
      ))}
      {filters.map((filter) => (
        <Choice key={filter.key} filter={filter} value={query.get(filter.key) ?? ''} />
      ))}
      {set.length > 0 && (
        <button
          type="button"
          class="chip"
          onClick={() => choose(Object.fromEntries(set.map((key) => [key, undefined])))}
        >
          clear
        </button>
      )}
    </search>
  );
}

function Choice({ filter, value }: { readonly filter: Filter; readonly value: string }) {
  const known = filter.choices.some((one) => one.value === value);
  return (
    <select
      class={value === '' ? 'chip' : 'chip on'}
      aria-label={filter.label}
      value={value}
      onChange={({ currentTarget }) => choose({ [filter.key]: currentTarget.value })}
    >
      <option value="">{filter.any}</option>
      {/* An address may name what no session has any more. */}
      {value !== '' && !known && <option value={value}>{value}</option>}
      {filter.choices.map((one) => (
        <option key={one.value} value={one.value}>
          {one.name}
        </option>
      ))}
    </select>
  );
}

function TypedField({ field: { key, label } }: { readonly field: TypedFilter }) {
  const asked = place.value.query.get(key) ?? '';
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  useEffect(() => {
    if (typed === asked) return;
    const timer = setTimeout(() => choose({ [key]: typed }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, asked]);
  return (
    <input
      type="search"
      class="search"
      data-search
      aria-label={label}
      placeholder={label}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
