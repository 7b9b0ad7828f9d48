import type { z } from 'zod';
import type { Brief } from '../../decomposition/production/brief/brief.ts';
import type { BriefSection } from '../../decomposition/views/brief-section.ts';
import { briefSections, plainRows } from '../../decomposition/views/brief-view.ts';
import type { brief } from '../schema/brief.ts';

export function encodeBrief(result: Brief): z.infer<typeof brief> {
  const { kind, since, until, operational, sample, month } = result;
  return {
    format: 'assay-brief',
    version: 1,
    kind,
    since,
    until,
    requests: operational.requests,
    sampled: sample.sampled,
    rated: sample.rated,
    sections: briefSections(result).map(encodeSection),
    drafts: (month?.candidates ?? []).map(({ requestId, golden }) => ({
      case: golden.id,
      request: requestId,
      golden,
    })),
  };
}

function encodeSection(section: BriefSection) {
  const { id, title, says, missing, links = [] } = section;
  return {
    id,
    title,
    says: [...says],
    missing: missing ?? null,
    rows: plainRows(section),
    links: links.map(({ text, path }) => ({ text, path })),
  };
}
