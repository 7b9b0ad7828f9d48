/**
 * Keys in what is written down: masked as they are, and in the forms in which a server or a program may repeat them.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** A shorter one is a stand-in such as `ollama`, and may well be a word of a text. */
const MIN_SECRET = 8;
const MASK = '[key]';

export function isSecret(text: string): boolean {
  return text.length >= MIN_SECRET;
}

export function mask(text: string, secrets: readonly string[]): string {
  // The longest first: one may be the beginning of another.
  const forms = [...new Set(secrets.filter(isSecret).flatMap(formsOf))].toSorted(
    (a, b) => b.length - a.length,
  );
  return forms.reduce((clean, form) => clean.replaceAll(form, MASK), text);
}

/** For a command line and what is said of it: there a short word after `--password` is masked too, where it stands alone. */
export function maskLine(line: string, secrets: readonly string[]): string {
  const short = secrets.filter((secret) => !isSecret(secret));
  return mask(line, secrets)
    .split(/([\s=:'"@]+)/)
    .map((part) => (short.includes(part) ? MASK : part))
    .join('');
}

/** As it is, and as URLs, JSON, base64 (at any place of a longer text) and hexadecimal spell it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const url = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const units = Array.from(secret, (_, i) => secret.charCodeAt(i).toString(16).padStart(4, '0'));
  const hex = bytes.toString('hex');
  return [
    secret,
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    json,
    json.replaceAll('/', '\\/'),
    units.map((unit) => `\\u${unit}`).join(''),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
  ].filter((form) => form.length >= MIN_SECRET - 2);
}

/** What stays the same whatever stands before (`before` bytes of a group of three) and after. */
function inBase64(bytes: Buffer, before: number): string[] {
  const all = Buffer.concat([Buffer.alloc(before), bytes]);
  const text = all.toString('base64').replace(/=+$/, '');
  const sure = text.slice(before === 0 ? 0 : before + 1, all.length % 3 === 0 ? undefined : -1);
  return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Names of options, variables, headers and parameters whose value is a key. */
const NAME =
  /(?:^|[-_.\s])(?:[a-z]*key|[a-z]*token|[a-z]*secret|[a-z]*pass(?:word|wd|phrase)?|pwd|auth|authorization|credentials?|cookie|bearer)$/i;
const KNOWN = /\b(?:sk|pk|rk|ghp|gho|ghs|ghu|hf|glpat|xox[a-z]|github_pat|AIza|AKIA|ya29)[-_.]?[\w-]{8,}/g;
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** No name is that long and mixes letters with digits. */
const RANDOM = /\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{16,}\b/g;

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

/** `password=…`, `"api_key": "…"`, `--token …`: what follows is masked there, however short. */
const SAID =
  /((?:\b[\w-]{0,40}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key)["']?\s{0,3}[=:]\s{0,3}["']?|--[\w-]{0,40}(?:password|secret|token|key)\s{1,3}["']?))[^\s"',;]+/gi;

/** A text without the keys in it, as far as their form, their name or the environment tells. */
export function maskText(text: string, env: Environment): string {
  const open = text.replace(PRIVATE_KEY, MASK);
  const values = Object.entries(env).flatMap(([name, value = '']) =>
    NAME.test(name) && isSecret(value) && open.includes(value) ? [value] : [],
  );
  const said = open.replace(SAID, (_, name: string) => `${name}${MASK}`);
  return mask(said, [...secretsIn(said.split(/\s+/), {}), ...values]);
}

/** The keys in the words of a command line, as far as their form, their name or the environment tells. */
export function secretsIn(words: readonly string[], env: Environment): string[] {
  const found = words.flatMap((word, i) => [
    ...named(word),
    ...[KNOWN, UUID, RANDOM].flatMap((form) => word.match(form) ?? []),
    ...(word.match(/(?<=:\/\/)[^/@\s]+(?=@)/g) ?? []).flatMap((user) => [user, ...user.split(':')]),
    // `--api-key VALUE`, however short.
    ...(i > 0 && /^-/.test(words[i - 1] ?? '') && NAME.test(words[i - 1] ?? '') ? [word] : []),
  ]);
  const known = Object.entries(env).flatMap(([name, value = '']) =>
    NAME.test(name) && isSecret(value) && words.some((word) => word.includes(value)) ? [value] : [],
  );
  return [...new Set([...found, ...known])].filter((secret) => secret !== '');
}

/** `NAME=value`, `Name: value`, `?name=value`, with the word before a key such as `Bearer`. */
function named(word: string): string[] {
  return [...word.matchAll(/([\w.-]+)(?:=|:\s*)([^\s&;,]+)(?:\s+([^\s&;,]+))?/g)].flatMap(
    ([, name = '', value = '', second]) =>
      NAME.test(name) && !value.startsWith('//') ? [second ?? value] : [],
  );
}
