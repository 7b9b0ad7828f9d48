/** Where `assay serve` listens, and by which names others reach it. */
import { AssayError } from '../errors.ts';
import type { Arguments } from './command.ts';
import { textOf } from './text-of.ts';

export function addressOf(args: Arguments) {
  return { host: hostOf(args), ...portsOf(args), allowedHosts: allowedHosts(args) };
}

/** To the system an empty address means every address of the machine. */
function hostOf(args: Arguments): string {
  const host = textOf(args, 'host')?.trim() ?? '';
  if (host !== '') return host;
  throw new AssayError('USAGE', '--host is empty', {
    remedy: 'Is a shell variable unset? Name an address, e.g. 127.0.0.1, or 0.0.0.0 for all of them.',
  });
}

const MORE_PORTS = 100;

/**
 * Agents and services send to a certain port, so that a server is at the port it is expected at, or does not start. Whoever
 * only wants to look takes another one.
 */
function portsOf(args: Arguments): { readonly port: number; readonly morePorts: number } {
  const text = textOf(args, 'port') ?? '';
  if (/^\d+$/.test(text) && Number(text) < 65_536)
    return { port: Number(text), morePorts: args.values.summary === true ? MORE_PORTS : 0 };
  throw new AssayError('USAGE', `--port is a number from 0 to 65535, not "${text}"`);
}

/** Who gives the option wants a token to be asked for: without a name in it none would be. */
function allowedHosts(args: Arguments): readonly string[] {
  const text = textOf(args, 'allow-host');
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (text === undefined || names.length > 0) return names;
  throw new AssayError('USAGE', '--allow-host is empty, so the server would ask for no token', {
    remedy: 'Is a shell variable unset? Name the host, or leave --allow-host out.',
  });
}
