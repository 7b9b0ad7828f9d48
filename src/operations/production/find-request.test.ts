import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../store/store.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { findRequest } from './find-request.ts';
import { recordDecompositions } from './record-decompositions.ts';

let ports: OpenPorts;
let store: Store;

beforeEach(async () => {
  ports = defaultPorts();
  store = await ports.store();
});
afterEach(() => ports.close());

async function record(id: string, latencyMs: number, project?: string, into = ports) {
  const sent = { id, at: '2026-01-05T10:00:00.000Z', status: 'ok' as const, latencyMs };
  const received = [{ record: { ...sent, ...(project !== undefined && { project }) } }];
  return recordDecompositions({ received, map: {}, keepText: false, environment: {} }, into);
}

it('keeps one id of several projects apart, each once', async () => {
  for (const project of ['shop', '/work/bank', undefined]) {
    expect(await record('a', (project ?? '').length, project)).toMatchObject({ added: 1, known: 0 });
    expect(await record('a', (project ?? '').length, project)).toMatchObject({ added: 0, known: 1 });
  }
  const stored = await store.readDecompositions();
  expect(stored.map(({ id }) => id).sort()).toEqual(['%2Fwork%2Fbank:a', 'a', 'shop:a']);
});

it('keeps an id that looks like that of a project apart from it, whichever comes first', async () => {
  const sent = [
    ['pa:zz', undefined],
    ['zz', 'pa'],
    ['pa:zz', 'pa'],
    ['@:pa:zz', undefined],
  ] as const;
  for (const order of [sent, sent.toReversed()]) {
    const own = defaultPorts();
    const keep = async ([id, project]: (typeof sent)[number], ms: number) => record(id, ms, project, own);
    for (const [i, one] of order.entries()) expect(await keep(one, i)).toMatchObject({ added: 1, known: 0 });
    for (const [i, one] of order.entries()) expect(await keep(one, i)).toMatchObject({ added: 0, known: 1 });
    const stored = await (await own.store()).readDecompositions();
    expect(stored.map(({ id }) => id).sort()).toEqual(['@:@:pa:zz', '@:pa:zz', 'pa:pa:zz', 'pa:zz']);
    expect((await findRequest(await own.store(), 'pa:zz', undefined))?.id).toBe('@:pa:zz');
    expect((await findRequest(await own.store(), 'zz', 'pa'))?.id).toBe('pa:zz');
    await own.close();
  }
});

it('finds a request by the id of its sender, and says where it is not told which one is meant', async () => {
  await record('a', 1, 'shop');
  expect((await findRequest(store, 'a', undefined))?.id).toBe('shop:a');
  expect((await findRequest(store, 'shop:a', 'bank'))?.id).toBe('shop:a');
  expect(await findRequest(store, 'b', 'shop')).toBeUndefined();
  await record('a', 2, 'bank');
  expect((await findRequest(store, 'a', 'bank'))?.id).toBe('bank:a');
  await expect(findRequest(store, 'a', undefined)).rejects.toMatchObject({
    code: 'DECOMPOSITION_NOT_FOUND',
    message: expect.stringContaining('several projects'),
  });
  await record('a', 3);
  expect((await findRequest(store, 'a', undefined))?.id).toBe('a');
});
