/** Sessions of the pi coding agent, versions 1 to 3. */

import { asObject } from '../../json/json-fields.ts';
import type { Adapter } from '../format.ts';
import {
  ENTRY_READERS,
  type EntryState,
  hasTypedEntries,
  stepEntry,
  typedEntryKey,
  typedParentKey,
} from '../typed-entries.ts';

export const piAdapter: Adapter<EntryState> = {
  // Who writes the same entries and can be told by more stands before it in the list.
  detect: hasTypedEntries,
  start: () => ({}),
  step: (state, record, line, emit) => stepEntry(ENTRY_READERS, state, record, line, emit),
  entryKey: typedEntryKey,
  parentKey,
};

/** No parent means a new start. */
function parentKey(record: unknown): string | undefined {
  return asObject(record)?.parentId === null ? '' : typedParentKey(record);
}
