import { verdictMark } from '../../../../src/report/zone-mark.ts';
import { Pill } from '../../parts/pill.tsx';
import type { ListedRun } from './shapes.ts';

export function VerdictPill({ verdict }: { readonly verdict: ListedRun['gate']['verdict'] }) {
  const { text, tone } = verdictMark(verdict);
  return <Pill tone={tone}>{text.toLowerCase()}</Pill>;
}
