/** The scorecards that OWASP published of its benchmark, and what Assay makes of the same verdicts of the same tools. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, '../../shared/data/workflow/owasp-benchmark');
const LAUNCHER = join(import.meta.dirname, '../bin/assay.js');
const TASK = 'owasp-benchmark-1.2';

type Case = { readonly name: string; readonly category: string; readonly real: boolean };
type Totals = { readonly tp: number; readonly fn: number; readonly tn: number; readonly fp: number };

/** As the scorecards print them. */
const PUBLISHED: Readonly<Record<string, Totals>> = {
  SonarQube_Java_Plugin: { tp: 607, fn: 808, tn: 1184, fp: 141 },
  OWASP_ZAP: { tp: 245, fn: 1170, tn: 1324, fp: 1 },
  FindBugs: { tp: 150, fn: 1265, tn: 1194, fp: 131 },
  PMD: { tp: 0, fn: 1415, tn: 1325, fp: 0 },
};

const rowsOf = (file: string) =>
  readFileSync(join(DATA, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((cell) => cell.trim()));

const place = (name: string) => `testcode/${name}.java`;

/** A real vulnerability is an error to be found, a false one a trap; each file holds one. */
function writeTruth(path: string): void {
  const cases = rowsOf('expectedresults-1.2.csv').map(
    ([name = '', category = '', real]): Case => ({ name, category, real: real === 'true' }),
  );
  const known = ({ name, category }: Case) => ({
    id: name,
    description: `${category} in ${name}`,
    category,
    locations: [{ file: place(name) }],
  });
  const truth = {
    task: TASK,
    version: '1.2',
    identify: 'file',
    categories: [...new Set(cases.map(({ category }) => category))],
    errors: cases.filter(({ real }) => real).map((one) => ({ ...known(one), severity: 'IMPORTANT' })),
    traps: cases.filter(({ real }) => !real).map(known),
  };
  writeFileSync(path, JSON.stringify(truth));
}

function writeRun(path: string, tool: string): void {
  const identified = rowsOf(`scorecard/Benchmark_v1.2_Scorecard_for_${tool}.csv`).filter(
    (row) => row[4] === 'true',
  );
  const findings = identified.map(([name = '', category = '']) => ({
    id: name,
    title: category,
    category,
    file: place(name),
  }));
  writeFileSync(path, JSON.stringify({ workflow: tool, task: TASK, run: '1', findings }));
}

/** Lines of the comparison; undefined where the data is not there. */
export function compareScorecards(folder: string): string[] | undefined {
  if (!existsSync(DATA)) return undefined;
  const truth = join(folder, 'owasp.json');
  writeTruth(truth);
  return Object.entries(PUBLISHED).map(([tool, { tp, fn, tn, fp }]) => {
    const runs = join(folder, tool);
    mkdirSync(runs);
    writeRun(join(runs, 'run.json'), tool);
    const args = ['workflow', 'score', '--truth', truth, '--runs', runs, '--format', 'json', '--no-store'];
    const { stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { PATH: process.env.PATH, HOME: folder },
    });
    if (stdout === '') throw new Error(`${tool}: ${stderr}`);
    return sayTool(tool, { tp, fn, tn, fp }, JSON.parse(stdout));
  });
}

type Scored = {
  readonly suite: {
    readonly metrics: Readonly<Record<string, { readonly value: number | null; readonly reason?: string }>>;
  };
};

/** Detection and precision together say how many were found, and how many traps were taken for errors. */
function sayTool(tool: string, { tp, fn, tn, fp }: Totals, { suite }: Scored): string {
  const [dr, precision] = [suite.metrics.dr?.value ?? Number.NaN, suite.metrics.precision?.value];
  const found = Math.round((dr / 100) * (tp + fn));
  const taken = precision == null ? 0 : Math.round(found / precision) - found;
  const isSame = found === tp && taken === fp;
  const said = precision == null ? `unmeasured: ${suite.metrics.precision?.reason}` : precision.toFixed(4);
  return [
    `scorecard of ${tool}: published ${tp} found, ${fn} missed, ${fp} false alarms of ${fp + tn}`,
    `Assay ${found}, ${tp + fn - found}, ${taken} (detection ${dr.toFixed(1)}%, precision ${said})`,
    isSame ? 'same' : 'DIFFERENT',
  ].join('; ');
}
