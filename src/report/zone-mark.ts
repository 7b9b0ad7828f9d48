/** Zones and verdicts as shape and word; each format adds its colour by tone. */
import type { ChangeSize } from '../judge/compare.ts';
import type { Check, GateVerdict } from '../judge/gate.ts';
import type { Zone } from '../judge/zone.ts';

/** The meaning of a colour. It is always accompanied by a word and a shape. */
export type Tone = 'excellent' | 'good' | 'caution' | 'bad' | 'quiet';

type Mark = { readonly text: string; readonly tone: Tone };

const ZONE_MARKS: Readonly<Record<Zone, Mark>> = {
  excellent: { text: '● excellent', tone: 'excellent' },
  pass: { text: '✓ pass', tone: 'good' },
  'below target': { text: '▲ below target', tone: 'caution' },
  fail: { text: '✗ fail', tone: 'bad' },
};

/** `undefined` is unmeasured. */
export function zoneMark(zone: Zone | undefined): Mark {
  return zone === undefined ? { text: '– unmeasured', tone: 'quiet' } : ZONE_MARKS[zone];
}

/** Stands in the place of a zone for a case that could not be read. */
export const ERROR = 'error';

export const ERROR_MARK: Mark = { text: '✗ error', tone: 'bad' };

const VERDICT_MARKS: Readonly<Record<GateVerdict, Mark>> = {
  passed: { text: '✓ Passed', tone: 'good' },
  blocked: { text: '✗ Blocked', tone: 'bad' },
  inconclusive: { text: '▲ Inconclusive', tone: 'caution' },
  'could not run': { text: '– Could not run', tone: 'quiet' },
};

export function verdictMark(verdict: GateVerdict, qualifier?: string): Mark {
  const mark = VERDICT_MARKS[verdict];
  return qualifier === undefined ? mark : { ...mark, text: `${mark.text}, ${qualifier}` };
}

const OUTCOME_MARKS: Readonly<Record<Check['outcome'], string>> = {
  passed: '✓ passed',
  warning: '▲ warning',
  blocked: '✗ blocked',
  inconclusive: '– inconclusive',
};

export function outcomeMark(outcome: Check['outcome']): string {
  return OUTCOME_MARKS[outcome];
}

const TIER_MARKS: Readonly<Record<string, { readonly mark: string; readonly tone: Tone }>> = {
  excellent: { mark: '●', tone: 'excellent' },
  good: { mark: '✓', tone: 'good' },
  acceptable: { mark: '○', tone: 'quiet' },
  poor: { mark: '▲', tone: 'caution' },
  failed: { mark: '✗', tone: 'bad' },
};

const NO_TIER = { mark: ' ', tone: 'quiet' } as const;

export function tierMark(tier = ''): { readonly mark: string; readonly tone: Tone } {
  return TIER_MARKS[tier] ?? NO_TIER;
}

/** The marks in words, for a line below a table of them. */
export function tierLegend(): string {
  return Object.entries(TIER_MARKS)
    .map(([tier, { mark }]) => `${mark} ${tier}`)
    .join('  ');
}

const CHANGE_TONES: Readonly<Record<ChangeSize, Tone>> = {
  improved: 'good',
  unchanged: 'quiet',
  'small regression': 'caution',
  regression: 'bad',
  lost: 'bad',
  'not comparable': 'quiet',
};

export function changeTone(size: ChangeSize): Tone {
  return CHANGE_TONES[size];
}

const MARK_TONES: Readonly<Record<string, Tone>> = {
  '✗': 'bad',
  '▲': 'caution',
  '✓': 'good',
  '●': 'excellent',
  '○': 'quiet',
  '–': 'quiet',
};

/** The shape at the start of a text, its tone, and the words after it. */
export function splitMark(
  text: string,
): { readonly mark: string; readonly tone: Tone; readonly words: string } | undefined {
  const [, mark, words] = /^([●✓▲✗–○]) (.*)$/su.exec(text) ?? [];
  if (mark === undefined || words === undefined) return undefined;
  return { mark, tone: MARK_TONES[mark] ?? 'quiet', words };
}
