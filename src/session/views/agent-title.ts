import { FORMATS } from '../ingest/formats/formats.ts';

const TITLES: ReadonlyMap<string, string> = new Map(FORMATS.map(({ name, title }) => [name, title]));

/** What people call an agent; options and machines go by its name. */
export function agentTitle(name: string): string {
  return TITLES.get(name) ?? name;
}
