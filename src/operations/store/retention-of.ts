import type { Config } from '../../config.ts';
import type { Retention } from './prune-store.ts';

/** What a configuration says of how long things are kept, requests of production and their texts too. */
export function retentionOf({ retention, production }: Pick<Config, 'retention' | 'production'>): Retention {
  const limited = Object.entries(retention).filter(
    (entry): entry is [string, number] => entry[1] !== 'forever',
  );
  return {
    'decomposition-texts': production.textDays,
    decompositions: production.recordDays,
    ...Object.fromEntries(limited),
  };
}
