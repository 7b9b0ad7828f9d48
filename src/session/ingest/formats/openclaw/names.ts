/** Names of OpenClaw's files. They never decide what a file is, only how it relates to the others in its folder. */

/** Transcripts that were put away or copied under a name of their own. */
export function isPutAsideName(path: string): boolean {
  return /\.jsonl\.(?:reset|deleted|corrupt)[.-][^/\\]+$|\.bak-\d+-\d+$/i.test(path);
}

/** Copies of a transcript that stays where it is: made at a compaction, before a repair, or after damage. */
export function isCopyName(path: string): boolean {
  const name = nameOf(path);
  return (
    /\.checkpoint\.[0-9a-f-]{8,64}\.jsonl(?:\.gz|\.zst)?$/i.test(name) ||
    /\.bak-\d+-\d+$/.test(name) ||
    (name.includes('.jsonl.corrupt-') && name.endsWith('.jsonl'))
  );
}

/** Transcripts put away at a reset, a deletion or for age: sessions in their own right where no live one holds their entries. */
export function isArchiveName(path: string): boolean {
  return (
    /\.jsonl\.(?:reset|deleted)\.[^/\\]+$/.test(nameOf(path)) ||
    /(?:^|[/\\])cold[/\\][0-9a-f]{64}\.jsonl\.zst$/i.test(path)
  );
}

/** Files about sessions, which are read along with a transcript and are none themselves. */
export function isSidecarName(path: string): boolean {
  const name = nameOf(path);
  return (
    name === 'sessions.json' ||
    name.endsWith('.trajectory.jsonl') ||
    name.endsWith('.trajectory-path.json') ||
    (path.includes('cron') &&
      /(?:^|[/\\])cron[/\\](?:runs[/\\][^/\\]+\.jsonl|jobs(?:-state)?\.json)$/.test(path))
  );
}

/** `<id>` of `<id>.jsonl`, `<id>.jsonl.reset.<time>`, `<id>.checkpoint.<uuid>.jsonl`. */
export function sessionIdOfName(path: string): string | undefined {
  const id = nameOf(path).replace(/(?:\.checkpoint\.[^.]*)?\.jsonl(?:\.[\s\S]*)?$/, '');
  return id === '' ? undefined : id;
}

/** `<id>` of `…/agents/<id>/sessions/…` and `…/agents/<id>/agent/…`. */
export function agentOfPath(path: string): string | undefined {
  return /(?:^|[/\\])agents[/\\]([^/\\]{1,200})[/\\](?:sessions|agent)[/\\]/.exec(path)?.[1];
}

/** Asked of every file that is found, so nothing is made on the way. */
function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
