import type { z } from 'zod';
import type { alertList, alertStory } from '../../../../src/api/schema/alert.ts';
import { formatDate } from '../../../../src/report/number.ts';
import { Pill } from '../../parts/measured.tsx';

export function SeverityPill({ severity }: { readonly severity: Alert['severity'] }) {
  return severity === 'critical' ? <Pill tone="bad">✗ critical</Pill> : <Pill tone="caution">▲ warning</Pill>;
}

const STATES = {
  open: ['▲ open', 'caution'],
  acknowledged: ['○ acknowledged', 'quiet'],
  silenced: ['– silenced', 'quiet'],
  resolved: ['✓ resolved', 'good'],
} as const;

export function StatePill({ state }: { readonly state: Alert['state'] }) {
  const [text, tone] = STATES[state];
  return <Pill tone={tone}>{text}</Pill>;
}

/** What its state means: by whom, and until when. */
export function sayState({ state, event }: Alert): string {
  if (event === null) return 'nobody has looked at it';
  if (state === 'silenced' && event.until !== null)
    return `until ${formatDate(event.until)}, by ${event.who}`;
  if (state === 'open' && event.until !== null) return 'its silence is over';
  return `by ${event.who}`;
}

export function alertHref(id: string): string {
  return `/alerts/${encodeURIComponent(id)}`;
}

/** Rules as people read them. */
export function ruleName(rule: string): string {
  return rule.replaceAll('-', ' ');
}

export type AlertList = z.infer<typeof alertList>;
export type Alert = AlertList['items'][number];
export type AlertStory = z.infer<typeof alertStory>;
