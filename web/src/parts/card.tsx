import type { ComponentChildren } from 'preact';

/** A panel with a heading. `aside` stands at the right of the heading: a link, a note. */
export function Card({
  title,
  aside,
  wide,
  children,
}: {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={wide ? 'card wide' : 'card'}>
      <div class="head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
