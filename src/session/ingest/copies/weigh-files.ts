/** Which of the files that share entries each of these counts for. Any thread can find it out: the files are all it takes. */
import type { CopyWeighing, LoadedFormat } from '../formats/format.ts';
import { loadFormats } from '../formats/load-formats.ts';
import { scanFile } from '../reading/read-file.ts';
import type { Spill } from '../reading/spill-list.ts';
import { hashKey } from './entry-keys.ts';

export type ToWeigh = {
  /** The name of the format whose entries they are. */
  readonly format: string;
  /** In the order of ownership. */
  readonly paths: readonly string[];
  /** Keys of the entries that stand in several of them. */
  readonly shared: Float64Array;
};

export type Weighed = {
  readonly path: string;
  /** Keys of its entries that count for another one. */
  readonly lost: Float64Array;
  /** Whether any of the weighed entries counts for it. */
  readonly hasOwn: boolean;
};

export async function weighFiles(
  { format: name, paths, shared }: ToWeigh,
  given: readonly LoadedFormat[] | undefined,
  spill: Spill | undefined,
): Promise<Weighed[]> {
  const format = (given ?? (await loadFormats())).find((one) => one.name === name);
  const weighing = format?.weighCopies?.(alone(format), new Set(shared));
  if (weighing === undefined) return [];
  return lookThrough(paths, weighing, spill);
}

export async function lookThrough(
  paths: readonly string[],
  weighing: CopyWeighing,
  spill: Spill | undefined,
): Promise<Weighed[]> {
  for (const path of paths) await scanFile(path, { formats: [weighing.look(path)], spill });
  return paths.map((path) => ({
    path,
    lost: Float64Array.from(weighing.lostBy(path), hashKey),
    hasOwn: weighing.hasOwn(path),
  }));
}

/** That it is in the file is known, whatever else is in there. */
export function alone(format: LoadedFormat): LoadedFormat {
  return { ...format, detect: () => true };
}
