/** Real servers that know each other as the shards of a cluster. */
import { freePort } from '../../../testing/free-port.ts';
import { ClickHouseServer, type ServerOptions } from './clickhouse-server.ts';

const NAME = 'fleet';

export class ClickHouseCluster {
  readonly shards: readonly ClickHouseServer[];

  private constructor(shards: readonly ClickHouseServer[]) {
    this.shards = shards;
  }

  static async start(
    count: number,
    { within }: Pick<ServerOptions, 'within'> = {},
  ): Promise<ClickHouseCluster> {
    const ports = [];
    for (let i = 0; i < count; i += 1) ports.push({ http: await freePort(), tcp: await freePort() });
    const shards = ports.map(
      ({ tcp }) => `<shard><replica><host>127.0.0.1</host><port>${tcp}</port></replica></shard>`,
    );
    const config = `<remote_servers><${NAME}>${shards.join('')}</${NAME}></remote_servers>`;
    return new ClickHouseCluster(
      await Promise.all(ports.map((own) => ClickHouseServer.start({ config, ports: own, within }))),
    );
  }

  address(database: string): string {
    const hosts = this.shards.map(({ httpPort }) => `127.0.0.1:${httpPort}`);
    return `clickhouse://${hosts.join(',')}/${database}?cluster=${NAME}`;
  }

  async emptied(database: string): Promise<string> {
    await Promise.all(this.shards.map((shard) => shard.emptied(database)));
    return this.address(database);
  }

  async stop(): Promise<void> {
    await Promise.all(this.shards.map((shard) => shard.stop()));
  }
}
