import type { z } from 'zod';
import { listedSession } from '../../api/schema/session-list.ts';
import { encodeEach } from '../../api/wire.ts';
import { type PageRequest, pageSessions } from '../../operations/session/page-sessions.ts';
import { csvLine } from '../../report/csv.ts';
import { rawRoute } from '../route.ts';
import { allows } from '../security/access.ts';
import type { Services } from '../services.ts';
import { listingOf, sessionListing } from '../session-query.ts';

/** So many sessions are read and sent at a time: what an export takes does not grow with how many there are. */
const AT_A_TIME = 200;

type Row = z.infer<typeof listedSession>;
type Format = {
  readonly type: string;
  readonly head: string;
  readonly row: (row: Row, isFirst: boolean) => string;
  readonly end: string;
};

/** A spreadsheet has no place for a list; the headline is the first of them. */
const KEYS = (Object.keys(listedSession.shape) as (keyof Row)[]).filter((key) => key !== 'receipts');

const FORMATS: Readonly<Record<'csv' | 'json', Format>> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine(KEYS),
    row: (row) => csvLine(KEYS.map((key) => row[key])),
    end: '',
  },
  json: {
    type: 'application/json',
    head: '[',
    row: (row, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(row)}`,
    end: '\n]\n',
  },
};

export const SESSION_EXPORT = (['csv', 'json'] as const).map((name) =>
  rawRoute({
    method: 'GET',
    path: `/api/v1/sessions/export.${name}`,
    summary: `All stored sessions of a list, as ${name === 'csv' ? 'CSV for a spreadsheet' : 'JSON'}`,
    scope: 'read',
    query: sessionListing,
    produces: FORMATS[name].type.split(';')[0] ?? '',
    handle: async ({ query: { titles, ...listing }, access }, services) => {
      const mayRead = titles === 'true' && allows(access, 'admin');
      const asked = {
        ...listingOf(listing),
        titles: mayRead ? { ...services.machine, withoutQuotes: true as const } : undefined,
      };
      return new Response(streamOf(FORMATS[name], asked, services), {
        headers: {
          'content-type': FORMATS[name].type,
          'content-disposition': `attachment; filename="sessions.${name}"`,
          'cache-control': 'no-store',
        },
      });
    },
  }),
);

/** A page is read when the one before it was taken. */
function streamOf(
  format: Format,
  asked: Omit<PageRequest, 'limit' | 'after'>,
  { sessions }: Services,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after: PageRequest['after'];
  let isFirst = true;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const page = await pageSessions({ ...asked, limit: AT_A_TIME, after }, sessions);
      const rows = encodeEach(listedSession, page.sessions).map((row, index) =>
        format.row(row, isFirst && index === 0),
      );
      controller.enqueue(encoder.encode(`${isFirst ? format.head : ''}${[...rows].join('')}`));
      isFirst = false;
      after = page.next;
      if (after !== undefined) return;
      if (format.end !== '') controller.enqueue(encoder.encode(format.end));
      controller.close();
    },
  });
}
