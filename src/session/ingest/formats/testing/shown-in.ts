/** Files read the way the product reads them → what the transcripts in them show, by format. */
import type { Event } from '../../../event.ts';
import { readFile } from '../../reading/read-file.ts';
import { CAPABILITIES, type Capability } from '../capabilities.ts';

export async function shownIn(paths: readonly string[]): Promise<Map<string, Set<Capability>>> {
  const shown = new Map<string, Set<Capability>>();
  const listen = (source: string) => {
    const capabilities = shown.get(source) ?? new Set();
    shown.set(source, capabilities);
    return (event: Event) => {
      for (const one of shownBy(event)) capabilities.add(one);
    };
  };
  for (const path of paths) await readFile(path, { listen });
  return shown;
}

/** What an event shows. */
export function shownBy(event: Event): readonly Capability[] {
  return CAPABILITIES.filter((capability) => SHOWS[capability](event));
}

const SHOWS: Readonly<Record<Capability, (event: Event) => boolean>> = {
  tokens: (event) => 'usage' in event && Object.values(event.usage ?? {}).some((count) => count > 0),
  cost: (event) => 'costUsd' in event && (event.costUsd ?? 0) > 0,
  failures: (event) => event.kind === 'result' && event.ok === false && event.denied !== true,
  denials: (event) => event.kind === 'result' && event.denied === true,
  compaction: (event) => event.kind === 'compaction',
  // A session that was copied from another has a parent, too.
  'sub-agents': (event) =>
    event.kind === 'spawn' ||
    (event.kind === 'session' && event.trigger === 'subagent') ||
    (event.kind === 'user' && event.origin === 'subagent'),
  ends: (event) => event.kind === 'end' || event.kind === 'interrupt' || hasStopped(event),
  model: (event) => 'model' in event && event.model !== undefined,
};

function hasStopped(event: Event): boolean {
  return event.kind === 'reply' && event.stop !== undefined && event.stop !== 'tool';
}
