import { formatRatio } from '../../../src/report/number.ts';
import type { Tone } from '../../../src/report/zone-mark.ts';

export type Share = { readonly name: string; readonly share: number; readonly tone: Tone };

/** Shares of a whole as one bar; their names are read out, and stand beside it in words. */
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
