import { z } from 'zod';
import { explanation } from '../../api/schema/explanation.ts';
import { sessionRow } from '../../api/schema/session-row.ts';
import { sessionTree, transcriptLines } from '../../api/schema/session-views.ts';
import { encodeSessionRow } from '../../api/session-row.ts';
import { encoded } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { explainSession } from '../../operations/session/explain-session.ts';
import { printSession } from '../../operations/session/score-sessions.ts';
import { sessionFamily } from '../../operations/session/session-family.ts';
import { jsonRoute } from '../route.ts';
import { demand } from '../security/access.ts';
import { storedRequest } from '../session-query.ts';
import { readInWorker } from '../transcripts/read-in-worker.ts';

/** Lines that are read at once. */
const MAX_LINES = 500;

const line = z.coerce.number().int().min(1).max(1e9);
const choice = z.enum(['true', 'false']).default('false');

export const SESSION = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/sessions/{key}',
    summary:
      'One session, as `sessions score` returns it; by its key, or by its id when only one session has it',
    scope: 'read',
    answer: encoded(sessionRow),
    handle: async ({ params }, { sessions }) =>
      encodeSessionRow(await printSession({ id: params.key }, sessions)),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/sessions/{key}/explanation',
    summary: 'Why a session got its score: each signal, what it cost, and the lines behind it',
    scope: 'read',
    query: z.strictObject({
      per_message: choice.describe('How the score developed along the session; reads the transcript again'),
      quotes: choice.describe('Include the text of the lines; only on this machine or with the scope admin'),
    }),
    answer: explanation,
    handle: async ({ params, query, access }, { sessions, config, machine }) => {
      if (query.quotes === 'true') demand(access, 'admin');
      const request = {
        ...storedRequest({}, config),
        id: params.key,
        perMessage: query.per_message === 'true',
        titles: query.quotes === 'true' ? machine : undefined,
        quotes: query.quotes === 'true' ? machine : undefined,
      };
      const isRead = request.perMessage || request.quotes !== undefined;
      return isRead
        ? readInWorker({ what: 'explanation', request }, sessions, access)
        : explainSession(request, sessions);
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/sessions/{key}/lines',
    summary:
      'Lines of the transcript, read from the file on request; only on this machine or with the scope admin',
    scope: 'admin',
    query: z.strictObject({ from: line, to: line }),
    answer: transcriptLines,
    handle: async ({ params, query: { from, to }, access }, { sessions, machine }) => {
      if (to < from || to - from >= MAX_LINES)
        throw new AssayError('REQUEST_INVALID', `query: to is from ${from} to ${from + MAX_LINES - 1} here`);
      const { environment } = machine;
      const request = { id: params.key, from, to, environment };
      return readInWorker({ what: 'lines', request }, sessions, access);
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/sessions/{key}/tree',
    summary: 'The session with its sub-agents and its parents',
    scope: 'read',
    answer: sessionTree,
    handle: ({ params }, { sessions }) => sessionFamily({ id: params.key }, sessions),
  }),
];
