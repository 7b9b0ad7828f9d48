/** Sessions of the pi coding agent, versions 1 to 3. */

import { asObject } from '../../json/json-fields.ts';
import type { Adapter } from '../format.ts';
import { isOpenclaw } from '../openclaw/detect.ts';
import { isPiFamily, PI_ENTRIES, type PiState, piEntryKey, piParentKey, stepEntry } from './entries.ts';

export const piAdapter: Adapter<PiState> = {
  detect: (sample) => isPiFamily(sample) && !isOpenclaw(sample),
  start: () => ({}),
  step: (state, record, line, emit) => stepEntry(PI_ENTRIES, state, record, line, emit),
  entryKey: piEntryKey,
  parentKey,
};

/** In pi no parent means a new start. OpenClaw, with its resets, is not read so: a whole history would be at stake. */
function parentKey(record: unknown): string | undefined {
  return asObject(record)?.parentId === null ? '' : piParentKey(record);
}
