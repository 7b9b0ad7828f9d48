/** Validates the settings of delivery targets. */
import { AssayError } from '../../errors.ts';

export type TargetEnvironment = Readonly<Record<string, string | undefined>>;

/** It could not be sent to, and why not would quote the password in the log and in the store. */
export function refusePassword(setting: string, address: string): void {
  if (address === '' || userIn(address) === '') return;
  throw new AssayError('CONFIG_INVALID', `${setting} contains a name or password`, {
    remedy: 'Give the address without it.',
  });
}

function userIn(address: string): string {
  const { username, password } = new URL(address);
  return username + password;
}

/** The address that a setting names a variable for; it may hold a password, so it is never quoted. */
export function secretAddressOf(
  setting: string,
  { variable, schemes }: { readonly variable: string; readonly schemes: readonly string[] },
  environment: TargetEnvironment,
): string {
  const address = secretOf(setting, variable, environment);
  const [first] = schemes;
  if (URL.canParse(address) && schemes.includes(new URL(address).protocol)) return address;
  throw new AssayError(
    'CONFIG_INVALID',
    `${setting} names the variable ${variable}, which contains no address that begins with ${first}//`,
    { remedy: `Set ${variable} to the whole address.` },
  );
}

/** The secret that a setting of the configuration names a variable for. */
export function secretOf(setting: string, variable: string, environment: TargetEnvironment): string {
  const secret = environment[variable] ?? '';
  if (secret !== '') return secret;
  throw new AssayError('CONFIG_INVALID', `${setting} names the variable ${variable}, which is not set`, {
    remedy: `Set ${variable}, or name another variable as ${setting}.`,
  });
}
