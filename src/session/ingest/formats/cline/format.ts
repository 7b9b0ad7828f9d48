/**
 * Cline and Roo Code: a folder per task below the storage of their extension, and the store that Cline's CLI and its
 * version 4 share, `~/.cline/data/sessions/<session>/`.
 *
 * Established from the sources of both (storage of tasks, types of messages) and Cline's contract of messages. What older
 * versions of Cline count as input is not.
 */
import { join } from 'node:path';
import { applicationData } from '../../files/application-data.ts';
import { variable } from '../../files/environment.ts';
import type { Environment, Format, Place } from '../format.ts';
import { besideTask, manifestOf } from './task-files.ts';

export const cline: Format = {
  name: 'cline',
  title: 'Cline and Roo Code',
  hint: /<(?:environment_details|task|user_message)>|"agent": ?"(?:lead|subagent|teammate)"/,
  shows: ['tokens', 'cost', 'failures', 'denials', 'compaction', 'sub-agents', 'ends', 'model'],
  versions: 'Cline 4.1 and its task folders before, Roo Code 3.52',
  places,
  ignores: (path) => BESIDE_A_TASK.test(path),
  beside: async (path) => [...besideTask(path), ...(manifestOf(path) ?? [])],
  adapter: async () => (await import('./adapter.ts')).clineAdapter,
};

/** Read with the history of their task, or not at all. */
const BESIDE_A_TASK =
  /[\\/](?:tasks[\\/](?:[^\\/]+[\\/](?:ui_messages|task_metadata|context_history|history_item|focus_chain[^\\/]*)|_index)\.json|sessions[\\/]([^\\/]+)[\\/]\1(?:\.compaction)?\.json)$/;

const HISTORY = { holds: 'api_conversation_history.json', only: /[\\/]api_conversation_history\.json$/ };
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const EXTENSIONS = [
  ['saoudrizwan.claude-dev', 'cline'],
  ['rooveterinaryinc.roo-cline', 'roo-code'],
] as const;

function places(home: string, env: Environment): Place[] {
  const data =
    variable(env, 'CLINE_DATA_DIR') ?? join(variable(env, 'CLINE_DIR') ?? join(home, '.cline'), 'data');
  const sessions = variable(env, 'CLINE_SESSION_DATA_DIR') ?? join(data, 'sessions');
  const root = applicationData(home, env);
  // Editors on other machines keep the storage of extensions where they run.
  const remote = ['.vscode-server', '.cursor-server'].map((name) => join(home, name, 'data'));
  const storages = [...EDITORS.map((editor) => join(root, editor)), ...remote];
  const tasks = storages.flatMap((storage) =>
    EXTENSIONS.map(([extension, agent]) => ({
      place: join(storage, 'User', 'globalStorage', extension, 'tasks'),
      ...HISTORY,
      agent,
    })),
  );
  return [
    { place: sessions, only: /\.messages\.json$/ },
    { place: join(data, 'tasks'), ...HISTORY },
    ...tasks,
  ];
}
