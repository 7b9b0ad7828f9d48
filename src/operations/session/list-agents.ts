import { FORMATS } from '../../session/ingest/formats/formats.ts';

/** The agents whose transcripts can be read: as sessions name them, and as people do. */
export function listAgents(): readonly { readonly agent: string; readonly name: string }[] {
  return FORMATS.map(({ name, title }) => ({ agent: name, name: title }));
}
