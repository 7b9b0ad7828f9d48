import { afterAll, beforeAll, describe, it } from 'vitest';
import { describeStoreContract } from '../contract.ts';
import { openStore } from '../open.ts';
import { openClickHouseStore } from './clickhouse-store.ts';
import { ClickHouseServer, missingClickHouse } from './testing/clickhouse-server.ts';

const missing = missingClickHouse();

if (missing !== undefined) it.skip(`a store on ClickHouse (${missing})`, () => {});
else {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await ClickHouseServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  describe('a store on ClickHouse', () => {
    describeStoreContract('ClickHouse', {
      open: () => server.emptied('contract').then((address) => openClickHouseStore(address, { settleMs: 0 })),
      stories: 8,
      openAgain: (store) => openStore(store.address),
      deviations: {
        'keys of any length': 'keys travel as parameters of a request, which have a longest length',
      },
    });
  });
}
