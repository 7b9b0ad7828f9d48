/** A measurement as people read it: value, interval, how many it rests on; unmeasured is a dash with its reason. */
import type { ComponentChildren } from 'preact';
import { formatInterval, formatValue, UNMEASURED } from '../../../src/report/number.ts';
import { type Tone, tierMark, verdictMark, zoneMark } from '../../../src/report/zone-mark.ts';
import type { Explanation, Measured as Measurement } from '../api/shapes.ts';

export type Unit = Parameters<typeof formatValue>[1];

export function Unmeasured({ reason }: { readonly reason?: string | undefined }) {
  return <Hint text={reason ?? 'not measured'}>{UNMEASURED}</Hint>;
}

/** A value with its interval, shares in whole percents: for where there is little room. */
export function Measured({ of, unit }: { readonly of: Measurement; readonly unit: Unit }) {
  if (of.value === null) return <Unmeasured reason={of.reason} />;
  const { low, high } = of;
  const interval =
    unit === 'ratio' && low !== null && high !== null
      ? `[${Math.round(100 * low)}, ${Math.round(100 * high)}]`
      : formatInterval(low ?? undefined, high ?? undefined, unit);
  return (
    <span class="keep">
      {formatValue(of.value, unit)}
      {interval !== '' && <span class="faint"> {interval}</span>}
    </span>
  );
}

/** Something with more to say: the words come when it is pointed at or focused, and are read out. */
export function Hint({ text, children }: { readonly text: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the words must be within reach of the keyboard.
    <span class="hint" tabIndex={0} data-hint={text}>
      {children}
      <span class="unseen"> ({text})</span>
    </span>
  );
}

/** Zones and tiers: always a word, a shape and a colour. */
type GateVerdict = Parameters<typeof verdictMark>[0];
type Zone = Parameters<typeof zoneMark>[0];

export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`pill tone-${tone}`}>{children}</span>;
}

/** `null` is unmeasured. */
export function ZonePill({ zone }: { readonly zone: Zone | null }) {
  const { text, tone } = zoneMark(zone ?? undefined);
  return <Pill tone={tone}>{text}</Pill>;
}

type Graded = Pick<Explanation, 'tier' | 'verified'>;

/** The tier, with whether the result was verified. */
export function TierPill({ tier, verified }: Graded) {
  if (tier === null) return <Pill tone="quiet">– unmeasured</Pill>;
  const { mark, tone } = tierMark(tier);
  return (
    <>
      <Pill tone={tone}>
        {mark} {tier}
      </Pill>{' '}
      <VerifiedPill verified={verified} />
    </>
  );
}

const VERIFIED = {
  yes: ['good', '✓ verified'],
  no: ['quiet', '– not verified'],
  failed: ['bad', '✗ verification failed'],
} as const;

function VerifiedPill({ verified }: Pick<Graded, 'verified'>) {
  const [tone, words] = VERIFIED[verified ?? 'no'];
  return <Pill tone={tone}>{words}</Pill>;
}

export function VerdictPill({ verdict }: { readonly verdict: GateVerdict }) {
  const { text, tone } = verdictMark(verdict);
  return <Pill tone={tone}>{text.toLowerCase()}</Pill>;
}
