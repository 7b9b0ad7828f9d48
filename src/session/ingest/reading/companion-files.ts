/** What lies beside a file and changes what it is worth, as a text that changes with it. */
import { stampsOf } from '../files/file-identity.ts';
import { FORMATS } from '../formats/formats.ts';

/** `source`: the format of its sessions. A file without any may be a database whose sessions are still in its log. */
export async function companionsOf(path: string, source: string | undefined): Promise<string> {
  const format = FORMATS.find(({ name }) => name === source);
  const paths = source === undefined ? [`${path}-wal`] : ((await format?.beside?.(path)) ?? []);
  return paths.length === 0 ? '' : `${paths.slice(1).join(' ')} ${stampsOf(paths)}`;
}
