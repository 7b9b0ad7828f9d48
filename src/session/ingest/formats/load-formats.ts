/** The formats with their adapters, and which of them a file is in. */
import type { Format, LoadedFormat, Sample } from './format.ts';
import { FORMATS } from './formats.ts';

let loaded: Promise<readonly LoadedFormat[]> | undefined;

/** All of them: which one a file is in shows only when they have looked at it. */
export function loadFormats(): Promise<readonly LoadedFormat[]> {
  loaded ??= Promise.all(FORMATS.map(loadFormat));
  return loaded;
}

async function loadFormat({ adapter, ...format }: Format): Promise<LoadedFormat> {
  return { ...format, ...(await adapter()) };
}

export function detectFormat(sample: Sample, formats: readonly LoadedFormat[]): LoadedFormat | undefined {
  const strict = formats.filter(({ asksMost }) => asksMost === true);
  return [...strict, ...formats].find((format) => {
    try {
      return format.detect(sample);
    } catch {
      return false;
    }
  });
}
