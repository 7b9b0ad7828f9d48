import { formatDate } from '../../../src/report/number.ts';
import { ago } from './time.ts';

/** How long ago; the exact time on demand. */
export function When({ at }: { readonly at: string | null }) {
  if (at === null) return <span class="faint">–</span>;
  return (
    <time dateTime={at} data-hint={formatDate(at)} class="faint keep">
      {ago(at)}
    </time>
  );
}
