import { isDeepStrictEqual } from 'node:util';
import { configSchema, loadConfig } from '../../src/config.ts';
import { listTokens } from '../../src/server/security/tokens.ts';
import { Broken, type Target } from '../target.ts';
import { fileTarget } from './file-target.ts';

export const projectTargets: readonly Target[] = [
  fileTarget({
    name: 'project/config',
    file: 'assay.config.json',
    read: async (path, folder) => {
      const { config, named } = await loadConfig(folder, { file: path });
      if (!isDeepStrictEqual(configSchema.parse(config), config))
        throw new Broken('settings change when they are read again');
      return { config, named };
    },
  }),
  fileTarget({ name: 'project/tokens', file: 'tokens.json', read: listTokens }),
];
