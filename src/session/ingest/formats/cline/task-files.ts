/** What lies beside the messages of a task. */
import { basename, dirname, join } from 'node:path';

/** Empty for other files. */
export function besideTask(path: string): string[] {
  if (basename(path) !== 'api_conversation_history.json') return [];
  return ['ui_messages.json', 'task_metadata.json', 'history_item.json'].map((name) =>
    join(dirname(path), name),
  );
}

/** Of the newer store: what is known of the session. */
export function manifestOf(path: string): [string] | undefined {
  return path.endsWith('.messages.json') ? [path.replace(/\.messages\.json$/, '.json')] : undefined;
}

/** A task has the name of its folder. */
export function taskOf(path: string): string | undefined {
  if (basename(path) !== 'api_conversation_history.json') return undefined;
  const folder = basename(dirname(path));
  return folder === '' || folder === '.' ? undefined : folder;
}
