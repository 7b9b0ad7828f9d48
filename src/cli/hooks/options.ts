import { HOOKED_AGENTS } from '../../operations/hooks/hooked-agents.ts';
import type { Options } from '../command.ts';

export const AGENT_OPTIONS: Options = {
  agent: { type: 'string', choices: HOOKED_AGENTS, default: 'claude-code', doc: 'Whose hooks' },
  'dry-run': { type: 'boolean', doc: 'Show what would be written, and write nothing' },
};
