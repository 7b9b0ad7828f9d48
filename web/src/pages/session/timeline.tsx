/** The timeline: messages in order, Q as if the session had ended there, and findings. */

import { formatScore } from '../../../../src/report/number.ts';
import type { Explanation } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import type { Run } from './signals.ts';
import { type Mark, marksOf, placeLabels } from './timeline-marks.ts';

type Moment = NonNullable<Explanation['moments']>[number];

/** More points than pixels add nothing. */
const MOST_POINTS = 400;

export function Timeline({ id, run }: { readonly id: string; readonly run: Run }) {
  const { data } = useResource<Explanation>(`sessions/${encodeURIComponent(id)}/explanation`, {
    per_message: 'true',
  });
  const moments = data?.moments ?? [];
  const marks = marksOf(run);
  const lines = [...moments.map(({ line }) => line), ...marks.map(({ line }) => line)];
  if (lines.length === 0) return null;
  const [first, last] = [Math.min(...lines), Math.max(...lines)];
  const place = (line: number) => (last === first ? 50 : (100 * (line - first)) / (last - first));
  const shown = thinned(moments);
  return (
    <div class="timeline">
      <div class="track" role="img" aria-label={describe(moments, marks)}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <polyline points={shown.map(({ line, q }) => `${place(line)},${100 - 100 * q}`).join(' ')} />
        </svg>
        {shown.map(({ line, what, q }) => (
          <i
            key={line}
            class={`moment ${what}`}
            style={{ left: `${place(line)}%` }}
            data-hint={`line ${line}, ${WHO[what]}: Q ${formatScore(q)} had it ended here`}
          />
        ))}
        {marks.map((mark) => (
          <i
            key={mark.line}
            class={`seen ${mark.tone}`}
            style={{ left: `${place(mark.line)}%` }}
            data-hint={`line ${mark.line}: ${mark.names.join(', ')}`}
          >
            {mark.tone === 'bad' ? '▲' : '■'}
          </i>
        ))}
      </div>
      <div class="labels" aria-hidden="true">
        {placeLabels(marks.map((mark) => ({ at: place(mark.line), text: mark.names[0] ?? '' }))).map(
          ({ at, text }) => (
            <span key={at} style={{ left: `${at}%` }} class={at > 80 ? 'end' : at < 20 ? 'start' : ''}>
              {text}
            </span>
          ),
        )}
      </div>
      <p class="sub axis-words">
        <span>line {first}</span>
        <span class="legend">
          <span>● person</span>
          <span>▲ against it</span>
          <span>■ for it</span>
          <span>line: Q had it ended there</span>
        </span>
        <span>line {last}</span>
      </p>
    </div>
  );
}

const WHO = { user: 'a person', reply: 'the agent', result: 'a tool' } as const;

function thinned(moments: readonly Moment[]): readonly Moment[] {
  const step = Math.ceil(moments.length / MOST_POINTS);
  return step <= 1
    ? moments
    : moments.filter((_, index) => index % step === 0 || index === moments.length - 1);
}

function describe(moments: readonly Moment[], marks: readonly Mark[]): string {
  const seen = marks.map(({ line, names }) => `line ${line}: ${names.join(', ')}`).join('; ');
  return `${moments.length} messages${seen === '' ? '' : `; ${seen}`}`;
}
