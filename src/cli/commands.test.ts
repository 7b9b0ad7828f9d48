import { expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';

it('are listed as they name and describe themselves', async () => {
  for (const { name, summary, load } of COMMANDS) {
    const { command } = await load();
    expect({ name: command.name, summary: command.summary }).toEqual({ name, summary });
  }
});
