/** Every benchmark: its output, what it is compared with, and where the docs cite it. */
export type Bench = {
  readonly file: string;
  readonly args?: readonly string[];
  /** With `--large`: what takes long, or fills a disk. */
  readonly large?: readonly string[];
  /** The printed lines for the table; the first line without it. */
  readonly shows?: RegExp;
  /** What it measures. */
  readonly figure: string;
  /** The comparison in the same run: a floor, or a peer with its version. */
  readonly against: string;
  /** The pages that state its figures. */
  readonly stated: readonly string[];
  /** What has to be there, from the root of the repository; without it nothing is measured and that is said. */
  readonly needs?: readonly string[];
  /** Takes a minute or more on two quiet cores: not among the quick ones. */
  readonly slow?: true;
};

const SHARED = '../shared/data';

export const BENCHES: Readonly<Record<string, Bench>> = {
  startup: {
    file: 'startup.ts',
    shows: /^(assay|built)/,
    figure: 'start of the command line, from the sources and as built',
    against: 'bare node; at most 1.5 × (--version), 2 × (--help), 6 × (assay alone)',
    stated: ['docs/contributing/decisions/command-line.md', 'docs/contributing/decisions/reading-speed.md'],
  },
  memory: {
    file: 'memory.ts',
    shows: /MB/,
    figure: 'memory for 1,000 to 60,000 golden cases, and for 1,000 and 10,000 runs of a review',
    against: '250 MB',
    stated: ['docs/decomposition.md', 'docs/workflow.md'],
    slow: true,
  },
  sessions: {
    file: 'sessions.ts',
    args: ['250'],
    large: ['500', '--large'],
    shows: /×/,
    figure: 'reading and scoring transcripts: first, again, after an append',
    against: '`JSON.parse` of every line, and ccusage 20.0.24',
    stated: ['docs/session-trust.md', 'docs/contributing/decisions/reading-speed.md'],
    slow: true,
  },
  reading: {
    file: 'reading.ts',
    args: ['120'],
    shows: /×/,
    figure: 'CPU time of a first reading per megabyte, stage by stage',
    against: '`JSON.parse` of every line',
    stated: ['docs/session-trust.md', 'docs/contributing/decisions/reading-speed.md'],
    needs: [`${SHARED}/session/claude-code`],
    slow: true,
  },
  discovery: {
    file: 'discovery.ts',
    shows: /floor/,
    figure: 'finding 10,000 sessions in all places of agents',
    against: 'a bare walk through the same folders',
    stated: [],
  },
  totals: {
    file: 'totals.ts',
    shows: /^\| `(claude-code|codex|gemini|pi)`/,
    figure: 'tokens and cost, agent by agent',
    against: 'ccusage 20.0.24 on the same files',
    stated: ['docs/contributing/token-totals.md'],
  },
  calibration: {
    file: 'calibration.ts',
    shows: /^(all|within|by the mean|no gain|\d+ of|other (tasks|files), Q)/,
    figure:
      'how well Q and P(success) tell success from failure, and what calibrated weights gain on files they have not seen',
    against: 'known outcomes of public runs; 0.5 is a coin',
    stated: ['docs/session-trust.md'],
    needs: [`${SHARED}/session/tau-bench`, `${SHARED}/session/tau2-bench`],
  },
  corrections: {
    file: 'corrections.ts',
    shows: /unread/,
    figure: 'precision and recall of corrections',
    against: 'what readers judged on the shared conversations, before anything was printed',
    stated: ['docs/session-trust.md'],
    needs: [`${SHARED}/session/claude-code`],
  },
  rates: {
    file: 'session-rates.ts',
    shows: /Assay, (?:44|\d+ sessions that)/,
    figure: 'share of turns with pushback, and of written lines that were committed',
    against: 'two readers of the same sessions, and the figures of a published study',
    stated: ['docs/session-trust.md'],
    needs: [`${SHARED}/session/claude-code`],
  },
  outcomes: {
    file: 'outcomes.ts',
    args: [`${SHARED}/session/claude-code`],
    shows: /^(commits|sessions)/,
    figure: 'commits found for sessions: precision and recall',
    against: "what the project's own tool recorded when they were made",
    stated: ['docs/session-trust.md'],
    needs: [`${SHARED}/session/claude-code/commits.json`],
  },
  store: {
    file: 'store.ts',
    large: ['200000'],
    shows: /floor|rows of/,
    figure: 'storing and reading sessions',
    against: 'bare node:sqlite',
    stated: ['docs/contributing/decisions/node-sqlite.md'],
    slow: true,
  },
  'store-overview': {
    file: 'store-overview.ts',
    args: ['100000'],
    large: ['1000000'],
    shows: /floor|peak/,
    figure: 'overviews of stored sessions',
    against: 'bare node:sqlite adding up every row',
    stated: ['docs/contributing/decisions/node-sqlite.md'],
    slow: true,
  },
  'store-answers': {
    file: 'store-answers.ts',
    figure:
      'every question of the commands to a million stored sessions, p50 and p99; bytes per session; whole commands',
    against: 'counting along an index, 50 ms (p99), 150 MB; bare node',
    stated: ['docs/contributing/decisions/node-sqlite.md'],
    slow: true,
  },
  clickhouse: {
    file: 'clickhouse.ts',
    large: ['20000000', '200000', '3'],
    shows: /stored whole|rows\/s|days worked out|^first sums|^overview|all \d+ questions/,
    figure:
      'a store on ClickHouse: bytes per session, rows a second, and every question of the commands and pages, p50, p99 and processor',
    against: "SQLite's kept sums, in the same run",
    stated: ['docs/deployment.md', 'docs/contributing/decisions/clickhouse-store.md'],
    slow: true,
  },
  monitor: {
    file: 'monitor.ts',
    shows: /added at|processor/,
    figure: 'what `monitor()` adds to a call of the function that it watches, p50 to p99.9',
    against: 'the bare function, called in turns; 100 µs (p99)',
    stated: ['docs/production.md'],
  },
  'store-growth': {
    file: 'store-growth.ts',
    args: ['200000'],
    large: ['1000000'],
    figure:
      'bytes, storing and questions at three sizes of a store, and a projection to ten times the largest',
    against: 'the size before',
    stated: ['docs/contributing/decisions/node-sqlite.md'],
    slow: true,
  },
  server: {
    file: 'server.ts',
    args: ['50000'],
    large: ['1000000'],
    shows: /within \d+ ms of|requests a second|listeners|memory/,
    figure: 'answers of the server over stored sessions: p50 and p99, requests a second, 200 listeners',
    against: 'a bare `node:http` server that sends the same bytes; 50 ms (p99)',
    stated: ['docs/server.md'],
    slow: true,
  },
  dashboard: {
    file: 'dashboard.ts',
    figure: 'pages of the dashboard over a million sessions in a real browser: first content, interactive',
    against: 'a bare page; a second',
    stated: ['docs/server.md'],
    slow: true,
  },
  decomposition: {
    file: 'decomposition.ts',
    args: ['1000'],
    large: ['10000'],
    figure: 'recorded outputs against golden cases, and memory',
    against: 'promptfoo 0.123.1 (installed for it, some minutes, or named with PROMPTFOO=)',
    stated: ['docs/decomposition.md'],
    slow: true,
  },
  comparison: {
    file: 'comparison.ts',
    figure:
      'what peers and Assay do with the same input: what is installed, the first result, time and memory, silence, tokens, published totals',
    against: `promptfoo 0.123.1 and ccusage 20.0.24 from npm (some minutes and 1.9 GB the first time), scorecards of the OWASP Benchmark 1.2`,
    shows: /:/,
    stated: ['docs/comparison.md'],
    slow: true,
  },
  'local-extractor': {
    file: 'local-extractor.ts',
    figure: 'what the local extractor reaches, and how fast',
    against: 'public sets with known answers',
    stated: ['docs/decomposition.md'],
    needs: [`${SHARED}/decomposition`],
    slow: true,
  },
  denial: {
    file: 'denial.ts',
    shows: /^held-out/,
    figure: 'sentences that deny, doubt or lessen, read rightly by the local extractor',
    against: 'sentences with known answers, of which one part was never looked at',
    stated: ['docs/decomposition.md'],
  },
  'semantic-threshold': {
    file: 'semantic-threshold.ts',
    shows: /used|pairs of/,
    figure: 'from which similarity on two labels name one concept: precision and recall',
    against: 'SemEval-2017 task 10; the train part chooses, the dev part reports',
    stated: ['docs/contributing/decisions/semantic-threshold.md'],
    needs: [`${SHARED}/decomposition/scienceie`],
    slow: true,
  },
  'workflow-matching': {
    file: 'workflow-matching.ts',
    figure: 'matching 5,000 findings to 2,000 errors; what random findings match',
    against: 'a plain loop over as many pairs',
    stated: ['docs/workflow.md'],
  },
  'compare-verdicts': {
    file: 'compare-verdicts.ts',
    args: ['300'],
    large: ['1000'],
    figure: 'false alarms, coverage and power of a comparison',
    against: 'seeded simulations with a known truth; 5% and 95%',
    stated: ['docs/workflow.md'],
    slow: true,
  },
  route: {
    file: 'route.ts',
    shows: /^(\d+ pasts|plain|POST)/,
    figure: 'how often the interval of a replay holds the truth; what a question for a model takes',
    against: 'simulated pasts with a known truth, and plain means; a bare server, and 5 ms (p99)',
    stated: ['docs/routing.md'],
    slow: true,
  },
  'alert-false-alarms': {
    file: 'alert-false-alarms.ts',
    figure:
      'how often each alert rule of production fires though nothing is wrong, how soon when something is, and how soon it is over',
    against: 'a service that is healthy, and one exactly on the line',
    stated: ['docs/alerts.md', 'docs/contributing/numbers-of-0.1.md'],
    slow: true,
  },
  'rule-false-alarms': {
    file: 'rule-false-alarms.ts',
    figure: 'false alarms of the documented rule of two pooled standard deviations',
    against: 'a seeded simulation beside what is computed',
    stated: ['docs/workflow.md'],
  },
  'success-coverage': {
    file: 'success-coverage.ts',
    figure: 'how often the interval of P(success) has the true rate',
    against: 'seeded simulations with a known truth: 95%',
    stated: ['docs/session-calibration.md'],
  },
  'ab-peeking': {
    file: 'ab-peeking.ts',
    shows: /^(acceptable|errors|latency|80% against 90%)/,
    figure: 'errors and power of an experiment in production that is looked at after every request',
    against: 'seeded simulations with a known truth: 5%, and a z test under the same looks',
    stated: ['docs/contributing/decisions/confidence-sequences.md', 'docs/production-experiments.md'],
    slow: true,
  },
  assignment: {
    file: 'assignment.ts',
    figure: 'the optimal assignment',
    against: 'one sort of the same matrix',
    stated: [],
  },
  live: {
    file: 'live.ts',
    args: ['--large'],
    shows: /append|%/,
    figure:
      'an append to a growing transcript of 1 MB, 100 MB and 1 GB; spans a second that the server takes and keeps',
    against: 'reading the transcript whole; a bare HTTP server that reads the same bodies',
    stated: ['docs/live.md'],
    slow: true,
  },
  watch: {
    file: 'watch.ts',
    shows: /^with/,
    figure: 'how soon an append is seen in 5,000 folders without events of the file system',
    against: 'the same folders with events, as far as the system gives them',
    stated: ['docs/live.md'],
    slow: true,
  },
  intake: {
    file: 'intake.ts',
    shows: /^(assay|of it|a core)/,
    figure:
      'whole sessions that are sent to a server: processor of all its threads until they are scored and stored',
    against: '`JSON.parse` of every line',
    stated: ['docs/deployment.md'],
    slow: true,
  },
  'live-kill': {
    file: 'live-kill.ts',
    figure: 'events lost and scores changed when the server is killed 50 times while agents send to it',
    against: 'none of either; a server that nobody kills',
    stated: ['docs/live.md'],
    slow: true,
  },
  soak: {
    file: 'soak.ts',
    args: ['--minutes', '5'],
    large: ['--minutes', '60'],
    shows: /^\d+ minutes|^from/,
    figure: 'memory, open files and p99 of a server under mixed traffic',
    against:
      'the second quarter of the same run: at most 150 MB and 100 files more; no acknowledged event missing',
    stated: ['docs/live.md'],
    slow: true,
  },
};
