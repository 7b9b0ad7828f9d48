import { CONFIG_OPTION, defineCommand, type Options } from './command.ts';
import { openServed } from './open-page.ts';
import { OWN_STORE_OPTION } from './sessions/options.ts';
import { stopOnSignal, stopWithParent, untilAborted } from './stop-on-signal.ts';

export const SERVE_OPTIONS = {
  host: { type: 'text', value: 'ADDRESS', default: '127.0.0.1', doc: 'Address to listen on' },
  port: {
    type: 'number',
    min: 0,
    max: 65_535,
    whole: true,
    value: 'PORT',
    default: 4117,
    doc: 'Port to listen on; 0 picks a free one',
  },
  'allow-host': {
    type: 'list',
    value: 'NAME',
    doc: 'Accepted host names, separated by commas; requires a token',
  },
  log: {
    type: 'choice',
    choices: ['all', 'errors', 'none'],
    default: 'errors',
    doc: 'What to log on standard error, one JSON object per line',
  },
  summary: {
    type: 'flag',
    doc: 'Print the summary, serve on the first free port from --port on, and open a browser; in CI only print',
  },
  ...OWN_STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Options;

export const command = defineCommand({
  name: 'serve',
  summary: 'Open the dashboard and the HTTP API on this machine',
  dataOnly: true,
  options: SERVE_OPTIONS,
  examples: ['assay serve', 'assay serve --port 8080 --log all', 'assay serve --summary'],
  run: async (given, terminal) => {
    let args = given;
    const withSummary = args.values.summary;
    if (withSummary) {
      const { isCi, printSummary, withUsableStore } = await import('./serve-summary.ts');
      args = await withUsableStore(args, terminal);
      const code = await printSummary(args, terminal);
      if (isCi(terminal)) return code;
    }
    const stopping = stopOnSignal();
    if (terminal.env.npm_lifecycle_event !== undefined) stopWithParent(stopping);
    // Loaded here: no other command pays for the server.
    const { startServing } = await import('./serving.ts');
    const { pageAt, elsewhere, stop } = await startServing(args, terminal);
    const others =
      elsewhere.length === 0 ? '' : `Other hosts reach it with a token at ${elsewhere.join(' and ')}\n`;
    terminal.print(`\nAssay is at ${pageAt()}\n${others}Press Ctrl-C to stop.\n`);
    // No terminal, no browser.
    if (withSummary && process.stdout.isTTY === true) openServed(pageAt(), terminal);
    await untilAborted(stopping.signal);
    await stop();
    stopping.end();
    return 0;
  },
});
