import { AssayError } from '../../errors.ts';
import type { Terminal } from '../command.ts';

export const DASHBOARD_OPTION = {
  type: 'text',
  value: 'URL',
  doc: 'Where the dashboard is that links lead to (default: ASSAY_URL; without it they are commands)',
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
  throw new AssayError('USAGE', `--dashboard is an address such as http://127.0.0.1:4117, not "${given}"`);
}
