/** Told from those of other agents by the names of its events; read as theirs are. */
import { sampled } from '../../json/json-fields.ts';
import type { Adapter } from '../format.ts';
import { otlpLogsAdapter } from '../otlp-logs/adapter.ts';
import { holdsLogged } from '../otlp-logs/logged-event.ts';
import type { LogState } from '../otlp-logs/state.ts';

export const otlpCodexAdapter: Adapter<LogState> = {
  ...otlpLogsAdapter,
  detect: ({ records, document }) => {
    const objects = sampled(records, document);
    const holds = (isCodex: boolean) => objects.some((one) => holdsLogged(one, isCodex));
    return holds(true) && !holds(false);
  },
};
