import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeStoreContract } from '../contract.ts';
import { openStore } from '../open.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-store-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

describeStoreContract('SQLite', {
  open: () => openStore(join(root, `${count++}`, 'store.db')),
  openAgain: (store) => openStore(store.address),
});
