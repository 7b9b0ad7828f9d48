/** Backup and restore as docs/deployment.md has them, on a real server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../open.ts';
import { type AnyRecords, appendAll, oddRecords, readAll } from '../testing/any-records.ts';
import { ClickHouseServer, missingClickHouse } from './testing/clickhouse-server.ts';

const page = readFileSync('docs/deployment.md', 'utf8');
const [backup = '', restore = ''] = [...page.matchAll(/"((?:BACKUP|RESTORE) [^"]+)"/g)].map(
  ([, sql = '']) => sql,
);

describe.skipIf(missingClickHouse() !== undefined)('a backup of ClickHouse', () => {
  it('brings back everything that was deleted since', async () => {
    const server = await ClickHouseServer.start({
      settings: (folder) => [`--backups.allowed_path=${join(folder, 'backups')}/`],
    });
    onTestFinished(() => server.stop());
    const ask = async (sql: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.httpPort}/`, { method: 'POST', body: sql });
      expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('Exception')]);
    };
    const store = await openStore(server.address('assay'));
    const sizeOf = (batch: AnyRecords) => Math.min(...Object.values(batch).map(({ length }) => length));
    const [largest = {}] = fc.sample(oddRecords, 50).toSorted((a, b) => sizeOf(b) - sizeOf(a));
    await appendAll(store, largest, 100);
    const before = await readAll(store);
    await store.close();
    expect([before.runs?.length, before.sessions?.length]).not.toContain(0);
    expect(backup).toMatch(/^BACKUP/);
    await ask(backup);
    await ask('DROP DATABASE assay SYNC');
    await ask(restore);
    const again = await openStore(server.address('assay'));
    expect(await readAll(again)).toEqual(before);
    await again.close();
  });
});
