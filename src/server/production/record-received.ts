/** Requests of a service, however they came: kept, and told to whoever listens. */
import type { Config } from '../../config.ts';
import {
  openSampler,
  type Recorded,
  type RecordRequest,
  recordDecompositions,
} from '../../operations/production/record-decompositions.ts';
import type { EventHub } from '../events/hub.ts';
import type { Services } from '../services.ts';

/** One for as long as the server runs: what it draws depends on what it has seen. */
const samplers = new WeakMap<Config, ReturnType<typeof openSampler>>();

function samplerOf(config: Config): ReturnType<typeof openSampler> {
  const known = samplers.get(config) ?? openSampler(config.production);
  samplers.set(config, known);
  return known;
}

export async function recordReceived(
  received: RecordRequest['received'],
  { project, config, machine, events }: Services,
): Promise<Recorded> {
  const recorded = await recordDecompositions(
    {
      received,
      map: config.decomposition.map,
      sampler: samplerOf(config),
      keepText: config.production.keepText,
      environment: machine.environment,
    },
    project,
  );
  if (recorded.added > 0) tell(events, project.now());
  return recorded;
}

const EVERY_MS = 1000;
const lastTold = new WeakMap<EventHub, number>();

/** A service may make many requests a second, and its figures are by the minute. */
function tell(events: EventHub, now: Date): void {
  if (now.getTime() - (lastTold.get(events) ?? 0) < EVERY_MS) return;
  lastTold.set(events, now.getTime());
  events.publish('production.recorded', {});
}
