import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sessionLines, sessionNews } from '../../api/schema/session-event.ts';
import { rowsOfSent, scoredRows, sentTexts } from '../testing/stored-rows.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const LINES = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8').split(/(?<=\n)/);
const HEADERS = { 'content-type': 'application/x-ndjson' };

function send({ ask }: TestServer, id: string, body: string, query = '', headers = {}): Promise<Response> {
  const init = { method: 'POST', headers: { ...HEADERS, ...headers }, body };
  return ask(`/api/v1/sessions/${id}/events${query}`, init);
}

const linesIn = async (response: Response) => sessionLines.parse(await response.json());

describe('lines of a session that are sent', () => {
  it('are scored as the same file would be, and end when the sender says so', async () => {
    const server = await startTestServer({ withSessions: false });
    const heard: string[] = [];
    const stream = await server.ask('/api/v1/events');
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await send(server, 'mine', LINES.slice(0, 5).join(''));
    await scoredRows(server);
    expect((await send(server, 'mine', LINES.slice(5).join(''), '?ended=true')).status).toBe(200);
    const rows = await scoredRows(server);
    expect(rows).toHaveLength(1);
    expect(rows).toEqual(await rowsOfSent(server.store));
    while (!heard.join('').includes('session.scored')) heard.push((await reader?.read())?.value ?? '');
    const [, data = ''] = /event: session.scored\ndata: (.*)/.exec(heard.join('')) ?? [];
    const { row, ...event } = sessionNews.parse(JSON.parse(data));
    expect(event.session_id).toBe('5f0c');
    // As the list has it, so that no page has to ask.
    const { items } = (await (await server.ask('/api/v1/sessions')).json()) as { items: object[] };
    expect(items).toEqual([row]);
    await reader?.cancel();
  });

  it('are kept once by their place, and what does not follow is refused', async () => {
    const server = await startTestServer({ withSessions: false });
    const [first = '', second = ''] = LINES;
    const size = Buffer.byteLength(first);
    await send(server, 'mine', first, '?offset=0');
    const again = await linesIn(await send(server, 'mine', first + second, '?offset=0'));
    expect(again).toMatchObject({
      added: Buffer.byteLength(second),
      length: size + Buffer.byteLength(second),
    });
    expect(await linesIn(await send(server, 'mine', second, `?offset=${size}`))).toMatchObject({ added: 0 });
    expect((await send(server, 'mine', first, '?offset=9999999')).status).toBe(409);
    expect((await send(server, 'mine', `{"other":1}\n`, '?offset=0')).status).toBe(409);
  });

  it('are kept once by their id, also after a restart', async () => {
    const server = await startTestServer({ withSessions: false });
    const key = { 'idempotency-key': 'a-1' };
    const [first = '', second = ''] = LINES;
    await send(server, 'mine', first, '', key);
    expect(await linesIn(await send(server, 'mine', first, '', key))).toMatchObject({ added: 0 });
    await server.stop();
    const next = await startTestServer({ withSessions: false, ...(await portsOver(server)) });
    expect(await linesIn(await send(next, 'mine', first, '', key))).toMatchObject({ added: 0 });
    const after = await linesIn(await send(next, 'mine', second, '', { 'idempotency-key': 'a-2' }));
    expect(after).toMatchObject({ added: Buffer.byteLength(second) });
    expect(await sentTexts(server.store)).toEqual(new Map([['intake:events/mine.jsonl', first + second]]));
  });

  it('are refused when they have no end, no type, or a name that leads elsewhere', async () => {
    const server = await startTestServer({ withSessions: false });
    expect((await send(server, 'mine', '{}')).status).toBe(400);
    expect((await send(server, '..%2f..%2fetc', '{}\n')).status).toBe(400);
    expect((await send(server, 'mine', '{}\n', '', { 'content-type': 'text/plain' })).status).toBe(400);
  });
});

async function portsOver({ folder, store }: TestServer) {
  const { defaultPorts } = await import('../../operations/default-ports.ts');
  return { sessions: defaultPorts({ store, folder }), machine: { home: folder, environment: {} } };
}
