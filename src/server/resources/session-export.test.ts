import { describe, expect, it } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

type Listed = { readonly session_id: string; readonly task_type: string };

describe('an export of sessions', () => {
  it('has every session of the list, in its order, as JSON and as CSV', async () => {
    const { ask } = await startTestServer();
    const { items, total } = (await (await ask('/api/v1/sessions?limit=200&sort=lowest_q')).json()) as {
      items: Listed[];
      total: number;
    };
    expect(total).toBeGreaterThan(2);
    const json = await ask('/api/v1/sessions/export.json?sort=lowest_q');
    expect(json.headers.get('content-disposition')).toContain('sessions.json');
    expect(await json.json()).toEqual(items);
    const csv = await (await ask('/api/v1/sessions/export.csv?sort=lowest_q')).text();
    const [head = '', ...lines] = csv.trimEnd().split('\r\n');
    expect(head.split(',')).toEqual(Object.keys(items[0] ?? {}).filter((key) => key !== 'receipts'));
    expect(lines.map((line) => line.split(',')[0])).toEqual(items.map((one) => one.session_id));
  });

  it('is narrowed as the list is, and is a list also when nothing fits', async () => {
    const { ask } = await startTestServer();
    const chats = (await (await ask('/api/v1/sessions/export.json?task_type=chat')).json()) as Listed[];
    expect(new Set(chats.map((one) => one.task_type))).toEqual(new Set(['chat']));
    expect(await (await ask('/api/v1/sessions/export.json?search=nobody')).json()).toEqual([]);
    expect((await ask('/api/v1/sessions/export.csv?limit=3')).status).toBe(400);
  });
});
