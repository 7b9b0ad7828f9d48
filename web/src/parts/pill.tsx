/** Zones and tiers: always a word, a shape and a colour. */
import type { ComponentChildren } from 'preact';
import { type Tone, tierMark, zoneMark } from '../../../src/report/zone-mark.ts';

export type Zone = Parameters<typeof zoneMark>[0];

export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`pill tone-${tone}`}>{children}</span>;
}

/** `null` is unmeasured. */
export function ZonePill({ zone }: { readonly zone: Zone | null }) {
  const { text, tone } = zoneMark(zone ?? undefined);
  return <Pill tone={tone}>{text}</Pill>;
}

export function TierPill({ tier }: { readonly tier: string | null }) {
  if (tier === null) return <Pill tone="quiet">– unmeasured</Pill>;
  const { mark, tone } = tierMark(tier);
  return (
    <Pill tone={tone}>
      {mark} {tier}
    </Pill>
  );
}
