import { expect, it } from 'vitest';
import { untilAborted } from './stop-on-signal.ts';

it('waits for a signal that comes later, and for none that came before', async () => {
  const controller = new AbortController();
  const later = untilAborted(controller.signal);
  controller.abort();
  await expect(later).resolves.toBeUndefined();
  await expect(untilAborted(controller.signal)).resolves.toBeUndefined();
});
