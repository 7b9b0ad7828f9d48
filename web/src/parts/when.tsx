/** Relative times. The hint has the exact one, in UTC. */
import { formatDate } from '../../../src/report/number.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `now`, `4 min`, `2 h`, `3 d`, and the day itself after a month. */
export function ago(iso: string | null, now: number = Date.now()): string {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(time)) return '–';
  const past = now - time;
  if (past < MINUTE) return 'now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h`;
  if (past < 30 * DAY) return `${Math.floor(past / DAY)} d`;
  return new Date(time).toISOString().slice(0, 10);
}

/** `14:03`, as the reader's clock shows it. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 5);
}

/** How long ago; the exact time on demand. */
export function When({ at }: { readonly at: string | null }) {
  if (at === null) return <span class="faint">–</span>;
  return (
    <time dateTime={at} data-hint={formatDate(at)} class="faint keep">
      {ago(at)}
    </time>
  );
}
