import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from '../../api/wire.ts';
import type { Config } from '../../config.ts';
import { briefView } from '../../decomposition/views/brief-view.ts';
import { rehearsalView, sayStep } from '../../decomposition/views/prompt-views.ts';
import { defaultPorts, type OpenPorts } from '../../operations/default-ports.ts';
import { readBrief } from '../../operations/production/read-brief.ts';
import { RehearsalClock, rehearseProduction } from '../../operations/production/rehearse.ts';
import type { StoreArguments, Terminal } from '../command.ts';
import { type PrintArguments, printResult } from '../print-result.ts';
import { serveStore } from '../serving.ts';
import { readSettings } from '../settings.ts';
import { stopOnSignal, untilAborted } from '../stop-on-signal.ts';

type ExampleArguments = PrintArguments & StoreArguments & { readonly values: { readonly pace: number } };

/**
 * Monitors a service for an hour that takes a minute; on a terminal its pages stay open until Ctrl-C. The result stays
 * in a temporary store for the commands that continue from there, unless it was interrupted.
 */
export async function exampleProduction(args: ExampleArguments, terminal: Terminal): Promise<number> {
  const clock = new RehearsalClock(new Date(), 1000 * args.values.pace);
  const { config } = await readSettings(args, terminal);
  const folder = mkdtempSync(join(tmpdir(), 'assay-example-production-'));
  const stopping = stopOnSignal();
  const store = join(folder, 'assay.db');
  const project = defaultPorts({ store, folder, now: () => new Date(clock.now()) });
  let isStored = false;
  let stop: (() => Promise<void>) | undefined;
  try {
    const serving = await serveStore(terminal, exampleConfig(config), folder, project);
    stop = serving.stop;
    const { url } = serving;
    const page = serving.pageAt('decomposition/production');
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
    isStored = !stopping.signal.aborted;
    const isOpen = process.stdout.isTTY === true && isStored;
    await printResult(args, terminal, {
      document: () => rehearsalView(rehearsal, isStored ? store : undefined),
      json: async () =>
        encode(
          (await import('../../api/schema/production.ts')).productionCheck,
          rehearsal.last ?? { findings: [], fired: [], resolved: [] },
        ),
    });
    if (args.values.format === 'table')
      await printExampleBrief(args, terminal, project, isOpen ? url : undefined);
    if (isOpen) {
      terminal.note(`\nIts page is at ${page}\nPress Ctrl-C to stop; its store stays in ${folder}.\n`);
      await untilAborted(stopping.signal);
    }
    return 0;
  } finally {
    await stop?.();
    stopping.end();
    if (!isStored) rmSync(folder, { recursive: true, force: true });
  }
}

/** What a team would read at the end of the week. */
async function printExampleBrief(
  args: ExampleArguments,
  terminal: Terminal,
  ports: OpenPorts,
  url: string | undefined,
): Promise<void> {
  const { golden: rules, map, weights } = (await readSettings(args, terminal)).config.decomposition;
  const golden = join(terminal.cwd, 'golden');
  const brief = await readBrief({ kind: 'week', golden, rules, map, weights, cwd: terminal.cwd }, ports);
  terminal.print('\n');
  await printResult(args, terminal, {
    document: () => ({ ...briefView(brief, {}, url), next: [] }),
    json: async () => encode((await import('../../api/schema/brief.ts')).brief, brief),
  });
}

/** Stores texts so that they can be rated, and delivers no alerts. */
function exampleConfig(config: Config): Config {
  const { alerts, production, session } = config;
  return {
    ...config,
    alerts: { ...alerts, webhook: '', slack: '', email: { ...alerts.email, to: [] } },
    session: { ...session, webhook: '', evaluations: '' },
    production: { ...production, keepText: true },
  };
}
