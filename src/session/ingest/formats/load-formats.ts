/** The formats with their adapters, and detection. An adapter is loaded when a file looks like one of its own. */
import type { Format, LoadedFormat, Sample } from './format.ts';
import { FORMATS } from './formats.ts';

const loaded = new Map<string, Promise<LoadedFormat>>();

/** All of them, or those that are wanted, in the order of the list. */
export function loadFormats(
  isWanted: (format: Format) => boolean = () => true,
): Promise<readonly LoadedFormat[]> {
  return Promise.all(FORMATS.filter(isWanted).map(loadFormat));
}

/** So much of a file is searched for hints. */
const LOOKED_AT_BYTES = 4 * 1024;

/** Formats whose hint matches the beginning of a file; detection decides, and may find none. */
export function likelyFormats(beginning: Buffer): Promise<readonly LoadedFormat[]> {
  const text = beginning.toString('latin1', 0, LOOKED_AT_BYTES);
  return loadFormats(({ hint }) => hint?.test(text) ?? false);
}

function loadFormat(format: Format): Promise<LoadedFormat> {
  const { adapter, ...rest } = format;
  const found = loaded.get(format.name) ?? adapter().then((own) => ({ ...rest, ...own }));
  loaded.set(format.name, found);
  return found;
}

export function detectFormat(sample: Sample, formats: readonly LoadedFormat[]): LoadedFormat | undefined {
  const strict = formats.filter(({ strictDetection }) => strictDetection === true);
  return [...strict, ...formats].find((format) => {
    try {
      return format.detect(sample);
    } catch {
      return false;
    }
  });
}
