/** A process from start to end: elapsed time, CPU time, memory and output. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type Timed = { readonly ms: number; readonly peakMb: number; readonly cpuMs: number };
export type Ended = Timed & {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export async function timeProcess(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Ended> {
  const start = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (data) => {
      said[name] += data;
    });
  let [peakMb, cpuMs] = [0, 0];
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
    cpuMs = Math.max(cpuMs, cpuOf(child.pid));
  }, 10);
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(watch);
  return { ms: performance.now() - start, peakMb, cpuMs, status, ...said };
}

/** Linux records the high-water mark of every process. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** In all its threads; Linux counts in hundredths of a second. */
function cpuOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}
