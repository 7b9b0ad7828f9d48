import { join } from 'node:path';
import { encodeBrief } from '../../api/encode/brief.ts';
import { briefDocument } from '../../decomposition/documents/brief-document.ts';
import type { OpenPorts } from '../../operations/default-ports.ts';
import { readBrief } from '../../operations/production/read-brief.ts';
import type { Arguments, Terminal } from '../command.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

/** What a team would read at the end of the week. */
export async function printExampleBrief(
  args: Arguments,
  terminal: Terminal,
  ports: OpenPorts,
  url: string | undefined,
): Promise<void> {
  const { golden: rules, map, weights } = (await readSettings(args, terminal)).config.decomposition;
  const golden = join(terminal.cwd, 'golden');
  const brief = await readBrief({ kind: 'week', golden, rules, map, weights, cwd: terminal.cwd }, ports);
  terminal.print('\n');
  await printResult(args, terminal, {
    document: () => ({ ...briefDocument(brief, {}, url), next: [] }),
    json: () => encodeBrief(brief),
  });
}
