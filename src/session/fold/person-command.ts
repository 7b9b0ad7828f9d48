/** What a person runs beside the agent checks its work as well as what the agent runs. */
import type { PersonCommandEvent } from '../event.ts';
import { outcomeOf } from './outcome.ts';
import { touch } from './runs.ts';
import { readShell } from './shell-command.ts';
import type { FoldState } from './state.ts';
import { noteCheck, notePush } from './work.ts';

export function stepPersonCommand(
  state: FoldState,
  { command, text, ok }: PersonCommandEvent,
  line: number,
  at: number | undefined,
): void {
  const run = state.runs.at(-1);
  if (run === undefined || typeof command !== 'string') return;
  touch(run, line, at);
  const outcome = outcomeOf({ text, ok }, 'shell');
  for (const effect of readShell(command).effects) {
    if (effect.does === 'state' && effect.what === 'pushed' && outcome === 'succeeded') notePush(run);
    if (effect.does !== 'check') continue;
    // Without an exit code only what it printed tells.
    const check = ok === undefined ? { ...effect, hidden: true as const } : effect;
    noteCheck(run, check, { outcome, text, stated: ok === true }, line);
  }
}
