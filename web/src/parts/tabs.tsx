import { place, withQuery } from '../router/location.ts';

/** Views of one page, as links that keep its filters. The first is the one without a name in the address. */
export function Tabs({
  label,
  name,
  views,
}: {
  readonly label: string;
  /** Its name in the address. */
  readonly name: string;
  readonly views: readonly { readonly value: string; readonly name: string }[];
}) {
  const [first] = views;
  const chosen = place.value.query.get(name) ?? first?.value;
  return (
    <nav class="tabs" aria-label={label}>
      {views.map(({ value, name: shown }) => (
        <a
          key={value}
          href={withQuery({ [name]: value === first?.value ? undefined : value })}
          aria-current={value === chosen ? 'page' : undefined}
        >
          {shown}
        </a>
      ))}
    </nav>
  );
}
