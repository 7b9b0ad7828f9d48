import type { ComponentChildren } from 'preact';

/** The number of a card: large, with its unit and what it is held against beside it. */
export function Figure({
  value,
  beside,
}: {
  readonly value: ComponentChildren;
  readonly beside?: ComponentChildren;
}) {
  return (
    <p class="figure">
      <b>{value}</b> {beside !== undefined && <small>{beside}</small>}
    </p>
  );
}
