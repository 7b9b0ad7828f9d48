import { CONFIG_OPTION, defineCommand, type Options } from './command.ts';
import { openServed } from './open-page.ts';
import { OWN_STORE_OPTION } from './sessions/options.ts';
import { stopOnSignal, stopWithParent, untilAborted } from './stop-on-signal.ts';

export const SERVE_OPTIONS = {
  host: { type: 'text', value: 'ADDRESS', default: '127.0.0.1', doc: 'Address to listen at' },
  port: {
    type: 'number',
    min: 0,
    max: 65_535,
    whole: true,
    value: 'PORT',
    default: 4117,
    doc: 'Port to listen at; 0 takes any that is free',
  },
  'allow-host': {
    type: 'list',
    value: 'NAME',
    doc: 'Name under which others reach it, several with commas; a token is needed then',
  },
  log: {
    type: 'choice',
    choices: ['all', 'errors', 'none'],
    default: 'errors',
    doc: 'What is logged on standard error, one JSON object a line',
  },
  summary: {
    type: 'flag',
    doc: 'Print the summary, serve at the first free port from --port on, and open a browser; in CI only print',
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
      elsewhere.length === 0 ? '' : `Others reach it with a token at ${elsewhere.join(' and ')}\n`;
    terminal.print(`\nAssay is at ${pageAt()}\n${others}Ctrl-C stops it.\n`);
    // No terminal, no browser.
    if (withSummary && process.stdout.isTTY === true) openServed(pageAt(), terminal);
    await untilAborted(stopping.signal);
    await stop();
    stopping.end();
    return 0;
  },
});
