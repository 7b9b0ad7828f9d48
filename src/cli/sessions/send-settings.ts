import { AssayError } from '../../errors.ts';
import type { DeliverySettings, TargetName } from '../../operations/session/delivery-targets.ts';
import type { Terminal } from '../command.ts';

/** Variables in which the programs of each have its address. */
const ADDRESSES: Partial<Record<TargetName, readonly string[]>> = {
  langfuse: ['LANGFUSE_BASE_URL', 'LANGFUSE_HOST', 'LANGFUSE_BASEURL'],
  phoenix: ['PHOENIX_HOST', 'PHOENIX_COLLECTOR_ENDPOINT'],
};

const NOBODY = { webhook: '', evaluations: '', langfuse: '', phoenix: '' };

/** The configured targets that are selected; a named one may also be set up by the environment. */
export function sendSettings(
  configured: DeliverySettings,
  wanted: readonly TargetName[] | undefined,
  env: Terminal['env'],
): DeliverySettings {
  const { webhookSecret } = configured;
  if (wanted === undefined) {
    const { langfuse, phoenix } = configured;
    if (langfuse !== '' || phoenix !== '') return { ...NOBODY, webhookSecret, langfuse, phoenix };
    throw new AssayError('USAGE', 'no target for scores is configured', {
      remedy: 'Name one with --to langfuse or --to phoenix, or set session.langfuse or session.phoenix.',
    });
  }
  const addresses = wanted.map((name) => [name, addressOf(name, configured[name], env)] as const);
  return { ...NOBODY, webhookSecret, ...Object.fromEntries(addresses) };
}

function addressOf(name: TargetName, configured: string, env: Terminal['env']): string {
  const variables = ADDRESSES[name] ?? [];
  const address = configured || variables.map((variable) => env[variable] ?? '').find((one) => one !== '');
  if (address !== undefined && address !== '') {
    if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
    throw new AssayError('CONFIG_INVALID', `the address of ${name} does not begin with http:// or https://`);
  }
  const [variable] = variables;
  throw new AssayError('CONFIG_INVALID', `session.${name} has no address`, {
    remedy: `Set session.${name} in the configuration${variable === undefined ? '' : `, or ${variable}`}.`,
  });
}
