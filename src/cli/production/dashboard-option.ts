import { AssayError } from '../../errors.ts';
import type { Terminal } from '../command.ts';

export const DASHBOARD_OPTION = {
  type: 'text',
  value: 'URL',
  doc: 'Address of the dashboard for links (default: ASSAY_URL; without it, commands instead of links)',
} as const;

/** Links of another kind could do anything. */
export function dashboardOf(
  args: { readonly values: { readonly dashboard?: string } },
  { env }: Terminal,
): string | undefined {
  const given = args.values.dashboard ?? env.ASSAY_URL;
  if (given === undefined || given === '') return undefined;
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) {
    const { origin, pathname } = new URL(given);
    return `${origin}${pathname}`;
  }
  throw new AssayError('USAGE', `--dashboard takes an address such as http://127.0.0.1:4117, not "${given}"`);
}
