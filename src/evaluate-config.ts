/** Runs a configuration that is a program. It is foreign code, so it must neither end nor stall the run. */
import { realpathSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { AssayError, ERRORS } from './errors.ts';
import { readText } from './files.ts';

/** Far longer than a configuration takes to evaluate. */
const TIMEOUT_MS = 10_000;

/** The default export of a `.ts` or `.js` file. */
export async function evaluateConfig(path: string, timeoutMs: number = TIMEOUT_MS): Promise<unknown> {
  const source = readText(path);
  // Node identifies a module by the real path of its file.
  const url = pathToFileURL(realpathSync(path)).href;
  const hooks = registerHooks(hooksFor(url, source));
  const refuse = () => refuseToEnd(path);
  process.on('exit', refuse);
  try {
    const module: { default?: unknown } = await within(timeoutMs, import(url));
    if (module.default !== undefined) return module.default;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('CONFIG_UNREADABLE', `${path} cannot be evaluated: ${why}`, { cause });
  } finally {
    process.off('exit', refuse);
    hooks.deregister();
  }
  throw new AssayError('CONFIG_UNREADABLE', `${path} has no default export`);
}

/** `'assay'` is the one that runs: a clone has nothing built, and a project need not have installed it. */
const OWN_INDEX = new URL(import.meta.url.endsWith('.ts') ? 'index.ts' : 'index.js', import.meta.url).href;

function hooksFor(url: string, source: string): Parameters<typeof registerHooks>[0] {
  const format = url.endsWith('.ts') ? 'module-typescript' : 'module';
  const isModule = /^[^\S\n]*(?:import|export)\b/m.test(source);
  return {
    resolve: (specifier, context, next) =>
      specifier === 'assay' ? { url: OWN_INDEX, shortCircuit: true } : next(specifier, context),
    // A file that says `export default` is a module, whatever `package.json` says or leaves out.
    load: (href, context, next) => next(href, href === url && isModule ? { ...context, format } : context),
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not done after ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A configuration that ends the process would otherwise end it with success; nothing but this can still speak. */
function refuseToEnd(path: string): void {
  process.exitCode = 3;
  const name = path.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
  const { remedy } = ERRORS.CONFIG_UNREADABLE;
  writeSync(2, `assay: ${name} ended the process while it was read [CONFIG_UNREADABLE]\n  ${remedy}\n`);
}
