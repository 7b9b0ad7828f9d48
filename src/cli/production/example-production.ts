import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeProductionCheck } from '../../api/encode/production-check.ts';
import { rehearsalDocument, sayStep } from '../../decomposition/documents/rehearsal-document.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { RehearsalClock, rehearseProduction } from '../../operations/production/rehearsal/rehearse.ts';
import type { Arguments, Terminal } from '../command.ts';
import { printResult } from '../print-result.ts';
import { serveStore } from '../serving.ts';
import { readSettings } from '../settings.ts';
import { stopOnSignal } from '../stop-on-signal.ts';

/** A minute of the example takes a second. */
const MINUTE_MS = 1000;

/** A service is watched for an hour that takes a minute; on a terminal its pages stay open until Ctrl-C. */
export async function exampleProduction(args: Arguments, terminal: Terminal): Promise<number> {
  const { config } = await readSettings(args, terminal);
  const folder = mkdtempSync(join(tmpdir(), 'assay-example-production-'));
  const clock = new RehearsalClock(MINUTE_MS);
  const stopping = stopOnSignal();
  const project = defaultPorts({ store: join(folder, 'assay.db'), folder, now: () => new Date(clock.now()) });
  const watching = { ...config, production: { ...config.production, keepText: true } };
  const { url, stop } = await serveStore(terminal, watching, project);
  try {
    const page = new URL('decomposition/production', url);
    terminal.note(`An hour of a small service, in a minute. Watch it: ${page}\n`);
    const rehearsal = await rehearseProduction(
      {
        url,
        rules: config.alerts.rules,
        clock,
        signal: stopping.signal,
        onStep: (step) => terminal.note(`${sayStep(step)}\n`),
      },
      project,
    );
    await printResult(args, terminal, {
      document: () => rehearsalDocument(rehearsal),
      json: () => encodeProductionCheck(rehearsal.last ?? { findings: [], fired: [], resolved: [] }),
    });
    if (process.stdout.isTTY === true && !stopping.signal.aborted) {
      terminal.note(`\nIts page is at ${page}\nCtrl-C stops it, and nothing is left behind.\n`);
      await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    }
    return 0;
  } finally {
    await stop();
    stopping.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
