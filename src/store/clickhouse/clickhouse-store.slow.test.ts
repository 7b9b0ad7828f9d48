import { afterAll, beforeAll, describe, it } from 'vitest';
import { describeStoreContract } from '../contract.ts';
import { openStore } from '../open.ts';
import { openClickHouseStore } from './clickhouse-store.ts';
import { ClickHouseCluster } from './testing/clickhouse-cluster.ts';
import { ClickHouseServer, isFatalThere, missingClickHouse } from './testing/clickhouse-server.ts';

const missing = missingClickHouse();

if (missing !== undefined) it.skip(`a store on ClickHouse (${missing})`, () => {});
else {
  const retry = { count: 1, condition: isFatalThere };
  describe('a store on ClickHouse', { retry }, () => {
    describeContract(() => ClickHouseServer.start(), 4);
  });
  describe('a store on two shards of ClickHouse', { retry }, () => {
    describeContract(() => ClickHouseCluster.start(2), 2);
  });
}

function describeContract(
  start: () => Promise<Pick<ClickHouseServer, 'emptied' | 'stop'>>,
  stories: number,
): void {
  let servers: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    servers = await start();
  }, 120_000);
  afterAll(() => servers.stop());

  describeStoreContract('ClickHouse', {
    open: () => servers.emptied('contract').then((address) => openClickHouseStore(address)),
    stories,
    openAgain: (store) => openStore(store.address),
    deviations: {
      'keys of any length': 'keys travel as parameters of a request, which have a longest length',
    },
  });
}
