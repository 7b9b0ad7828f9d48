import type { Config } from '../../config.ts';
import type { Retention } from './prune-store.ts';

/** The retention in a configuration, with that of production requests and their texts. */
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
