import type { z } from 'zod';
import type { AlertEvent, TrackedAlert } from '../../store/store.ts';
import type { alertStory } from '../schema/alert-list.ts';
import { encodeAlert } from './alert.ts';

type Story = {
  readonly alert: TrackedAlert;
  readonly events: readonly AlertEvent[];
  readonly runId?: string;
};

export function encodeAlertStory({ alert, events, runId }: Story): z.infer<typeof alertStory> {
  return {
    format: 'assay-alert',
    version: 1,
    alert: encodeAlert(alert),
    events: events.map(({ state, who, why, at, until }) => ({
      state,
      who,
      why: why ?? null,
      at,
      until: until ?? null,
    })),
    run_id: runId ?? null,
  };
}
