import type { ComponentChildren } from 'preact';
import { formatRatio } from '../../../src/report/number.ts';
import type { Tone } from '../../../src/report/zone-mark.ts';

/** A panel with a heading. `aside` is at the right of the heading: a link, a note. */
export function Card({
  title,
  aside,
  children,
}: {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card">
      <div class="head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** The main number of a card with its unit and its comparison. */
export function Figure({
  value,
  caption,
}: {
  readonly value: ComponentChildren;
  readonly caption?: ComponentChildren;
}) {
  return (
    <p class="figure">
      <b>{value}</b> {caption !== undefined && <small>{caption}</small>}
    </p>
  );
}

export type Share = { readonly name: string; readonly share: number; readonly tone: Tone };

/** Shares of a whole as one bar; screen readers get their names, which are also shown as text. */
export function Strip({ shares }: { readonly shares: readonly Share[] }) {
  const label = shares.map(({ name, share }) => `${name} ${formatRatio(share)}`).join(', ');
  return (
    <div class="strip" role="img" aria-label={label}>
      {shares
        .filter(({ share }) => share > 0)
        .map(({ name, share, tone }) => (
          <i
            key={name}
            class={`fill-${tone}`}
            style={{ flexGrow: share }}
            data-hint={`${name} ${formatRatio(share)}`}
          />
        ))}
    </div>
  );
}
