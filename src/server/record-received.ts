/** Stores production requests, however they came, and publishes them. */
import type { Config } from '../config.ts';
import {
  openSampler,
  type Recorded,
  type RecordRequest,
  recordDecompositions,
} from '../operations/production/record-decompositions.ts';
import type { Services } from './services.ts';

/** The recording of one project while the server runs: sampling depends on earlier requests of that project only. */
type Recording = { readonly sampler: ReturnType<typeof openSampler>; announcedAt: number };

const recordings = new WeakMap<Config, Map<string, Recording>>();

function recordingOf(config: Config, project: string): Recording {
  const ofAll = recordings.get(config) ?? new Map<string, Recording>();
  recordings.set(config, ofAll);
  const known = ofAll.get(project) ?? { sampler: openSampler(config.production), announcedAt: 0 };
  // Taken out and put back: the first of the map is the one that was idle longest.
  ofAll.delete(project);
  ofAll.set(project, known);
  const [longest] = ofAll.keys();
  if (ofAll.size > MOST_PROJECTS && longest !== undefined) ofAll.delete(longest);
  return known;
}

/** A sender chooses the name of a project: those beyond are sampled as if they had just begun. */
const MOST_PROJECTS = 1000;

/** Of which project requests are that do not say so themselves. */
export function usualProject({ writesTo, isFolderSeen, config }: Services): string | undefined {
  return writesTo ?? (isFolderSeen ? config.project : undefined);
}

/** Project by project: a failure in one does not affect the others. */
export async function recordReceived(
  received: RecordRequest['received'],
  services: Services,
): Promise<Recorded> {
  const all = { added: 0, known: 0, sampled: 0, ahead: 0 };
  const usual = usualProject(services);
  const whose = ({ record }: RecordRequest['received'][number]) => record.project ?? usual ?? '';
  for (const [project, some] of Map.groupBy(received, whose)) {
    const own = some.map((one) => ({
      ...one,
      record: { ...one.record, ...(project !== '' && { project }) },
    }));
    const { added, known, sampled, ahead } = await recordOf(project, own, services);
    all.added += added;
    all.known += known;
    all.sampled += sampled;
    all.ahead += ahead;
  }
  return all;
}

async function recordOf(
  whose: string,
  received: RecordRequest['received'],
  { project, config, machine, events }: Services,
): Promise<Recorded> {
  const own = recordingOf(config, whose);
  const recorded = await recordDecompositions(
    {
      received,
      map: config.decomposition.map,
      sampler: own.sampler,
      keepText: config.production.keepText,
      environment: machine.environment,
    },
    project,
  );
  const now = project.now().getTime();
  if (recorded.added > 0 && now - own.announcedAt >= EVERY_MS) {
    own.announcedAt = now;
    events.publish('production.recorded', {}, whose === '' ? undefined : whose);
  }
  return recorded;
}

/** A service may make many requests a second, and its figures are by the minute. */
const EVERY_MS = 1000;
