import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { postScore } from './post-score.ts';

it.each([
  `Basic ${Buffer.from('pk-lf-12345678:sk-lf-12345678').toString('base64')}`,
  'Bearer a-key-of-phoenix',
])('says why a score was refused, without the key that the service repeats: %s', async (authorization) => {
  const service = createServer((request, response) => {
    const { authorization: sent = '' } = request.headers;
    const decoded = Buffer.from(sent.replace('Basic ', ''), 'base64').toString();
    response.writeHead(422).end(`no field q; you sent ${JSON.stringify(request.headers)}, ${decoded}`);
  });
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  onTestFinished(() => void service.close());
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const refusal = await postScore(url, {}, authorization, AbortSignal.timeout(10_000)).catch(String);
  expect(refusal).toContain('no field q');
  expect(refusal).not.toMatch(/lf-12345678|a-key-of-phoenix|[A-Za-z0-9+/]{20}/);
});
