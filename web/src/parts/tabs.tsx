import { useEffect, useRef } from 'preact/hooks';
import { place, withQuery } from '../router/location.ts';

/** Views of a page, as links that preserve its filters. The first has no name in the address. */
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
  const strip = useRef<HTMLElement>(null);
  // On a narrow screen the strip scrolls: the open tab must be visible, without moving the page.
  useEffect(() => {
    const open = strip.current?.querySelector<HTMLElement>('[aria-current]');
    if (open && strip.current) strip.current.scrollLeft = open.offsetLeft - strip.current.offsetLeft - 24;
  }, [chosen]);
  return (
    <nav class="tabs" aria-label={label} ref={strip}>
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
