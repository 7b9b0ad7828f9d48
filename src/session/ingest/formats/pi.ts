/** Sessions of the pi coding agent, versions 1 to 3. */
import { asObject } from '../json/json-fields.ts';
import { chatAdapter } from './chat.ts';
import { hasTypedEntries, TYPED_ENTRIES } from './typed-entries.ts';

export const piAdapter = chatAdapter({
  ...TYPED_ENTRIES,
  // Agents that write the same entries and have distinctive ones come before it in the list.
  detect: hasTypedEntries,
  // No parent means a new start.
  parentKey: (record) => (asObject(record)?.parentId === null ? '' : TYPED_ENTRIES.parentKey(record)),
});
