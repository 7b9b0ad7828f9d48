/** Filters that live in the address: a view with filters is a link. */
import { useEffect, useState } from 'preact/hooks';
import { choose, place } from '../router/location.ts';

export type Filter = {
  /** Its name in the address. */
  readonly key: string;
  readonly label: string;
  /** What stands there while nothing is chosen. */
  readonly any: string;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
};

const TYPED_MS = 250;

export function FilterBar({
  search,
  filters,
}: {
  /** What the search field looks through; without it there is none. */
  readonly search?: string;
  readonly filters: readonly Filter[];
}) {
  const { query } = place.value;
  const set = filters.filter(({ key }) => query.get(key)).map(({ key }) => key);
  const isSet = set.length > 0 || (query.get('search') ?? '') !== '';
  return (
    <search class="filters">
      {search !== undefined && <SearchField label={search} />}
      {filters.map((filter) => (
        <Choice key={filter.key} filter={filter} value={query.get(filter.key) ?? ''} />
      ))}
      {isSet && (
        <button
          type="button"
          class="chip"
          onClick={() => choose(Object.fromEntries([...set, 'search'].map((key) => [key, undefined])))}
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

function SearchField({ label }: { readonly label: string }) {
  const asked = place.value.query.get('search') ?? '';
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  useEffect(() => {
    if (typed === asked) return;
    const timer = setTimeout(() => choose({ search: typed }), TYPED_MS);
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
