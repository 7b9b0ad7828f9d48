/** Masks secrets in output: as they are, and in the encodings in which a server or a program may repeat them. */

type Environment = Readonly<Record<string, string | undefined>>;

/** A shorter value is a placeholder such as `ollama`, and may be an ordinary word. */
const MIN_SECRET = 8;
const MASK = '[key]';

export function isSecret(text: string): boolean {
  return text.length >= MIN_SECRET;
}

/** The keys in a header, in the parts in which a server may repeat them. */
export function keysOf(authorization: string | undefined): string[] {
  const [, scheme, value = ''] = /^(\w+) (.+)$/.exec(authorization ?? '') ?? [];
  const pair = scheme === 'Basic' ? Buffer.from(value, 'base64').toString() : '';
  return [value, pair, ...pair.split(':')];
}

export function mask(text: string, secrets: readonly string[]): string {
  // The longest first: one may be the beginning of another. Each by itself: a pattern of many takes seconds to make.
  const all = [...new Set(secrets.filter(isSecret))].toSorted((a, b) => b.length - a.length);
  return all.reduce((rest, secret) => rest.replace(formOf(secret), MASK), text);
}

/** For command lines: a short value after `--password` is masked too, where it is a word of its own. */
export function maskLine(line: string, secrets: readonly string[]): string {
  const short = secrets.filter((secret) => !isSecret(secret));
  return mask(line, secrets)
    .split(/([\s=:'"@]+)/)
    .map((part) => (short.includes(part) ? MASK : part))
    .join('');
}

/** What the last texts were searched for. */
const forms = new Map<string, RegExp>();
const MAX_FORMS = 50;

function formOf(secret: string): RegExp {
  const known = forms.get(secret);
  if (known !== undefined) return known;
  if (forms.size >= MAX_FORMS) forms.clear();
  const form = new RegExp(spellings(secret).join('|'), 'giu');
  forms.set(secret, form);
  return form;
}

/** Letter by letter, each plain or escaped; in hexadecimal; in base64 at any offset of a longer text. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((before) => inBase64(bytes, before));
  return [
    Array.from(secret, lettersOf).join(BREAK),
    bytes.toString('hex'),
    // Long base64 has line breaks.
    ...new Set(base64.map((text) => Array.from(text, literal).join(String.raw`(?:\s|\\{1,8}[rn]){0,4}`))),
  ];
}

/** What drives a terminal or is not seen, as it is or written out: a program that colours its output may colour half a key. */
const ESCAPE = String.raw`(?:\u001b|\u009b|\\{1,8}(?:u00[19]b|u\{[19]b\}|x[19]b|033|e))`;
const UNSEEN = String.raw`[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]`;
const BREAK = String.raw`(?:${ESCAPE}\[?[\d;:?]{0,24}[a-zA-Z]|${UNSEEN}){0,4}`;
const BREAKS = new RegExp(String.raw`(?:\u001b|\u009b)\[?[\d;:?]{0,24}[a-zA-Z]|${UNSEEN}`, 'gu');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** One character as it is, and as URLs, JSON, programs and HTML spell it, each once or a few times over. */
function lettersOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const entity = ENTITIES[character];
  const percent = Array.from(
    Buffer.from(character),
    (byte) => `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`,
  );
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i).toString(16));
  return `(?:${[
    ...(entity === undefined ? [] : [`&(?:amp;){0,4}${entity};`]),
    `&(?:amp;){0,4}#(?:0{0,6}${code}|x0{0,6}${hex});?`,
    percent.join(''),
    units.map((unit) => String.raw`\\{1,8}u${unit.padStart(4, '0')}`).join(''),
    String.raw`\\{1,8}(?:u\{0{0,6}${hex}\}${code < 0x100 ? `|x${hex.padStart(2, '0')}` : ''})`,
    /^[a-z0-9]$/i.test(character) ? character : String.raw`\\{0,8}${literal(character)}`,
  ].join('|')})`;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
}

/** The part of the base64 that does not depend on what comes before (`before` bytes of a group of three) and after. */
function inBase64(bytes: Buffer, before: number): string[] {
  const all = Buffer.concat([Buffer.alloc(before), bytes]);
  const text = all.toString('base64').replace(/={1,2}$/, '');
  const sure = text.slice(before === 0 ? 0 : before + 1, all.length % 3 === 0 ? undefined : -1);
  return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Names of options, variables, headers and parameters whose value is a secret. */
const NAME =
  /(?:^|[-_.\s])(?:[a-z]*key|[a-z]*token|[a-z]*secret|[a-z]*pass(?:word|wd|phrase)?|pwd|auth|authorization|credentials?|cookie|bearer)$/i;
const KNOWN =
  /\b(?:(?:sk|pk|rk|hf|gsk|xai|npm|gh[opsur]|glpat|xox[a-z]|github_pat|whsec)[-_][\w-]{8,}|ya29\.[\w-]{8,}|AIza[\w-]{12,}|A[KS]IA[A-Z\d]{12,})/g;
/** The part behind the dot is optional here, so that no word is read from each `eyJ` in it: without a dot it is no token. */
const JWT = /\beyJ[\w-]{8,}(?:\.[\w-]{8,}(?:\.[\w-]+)?)?/g;
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** No name is that long and mixes letters with digits. */
const RANDOM = /\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{16,}\b/g;

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g;

/** The end of a cut-off key: base64 letters before the mark. */
function withoutKeyEnds(text: string): string {
  const parts = text.split(KEY_END);
  return parts
    .map((part, i) => {
      if (i === parts.length - 1) return part;
      let end = part.length;
      while (end > 0 && /[A-Za-z\d+/=\s]/.test(part.charAt(end - 1))) end -= 1;
      return `${part.slice(0, end)}${MASK}`;
    })
    .join('');
}

/** `password=…`, `"api_key": "…"`, `--token …`: what follows is masked there, however short. */
const SAID =
  /((?:\b[\w-]{0,40}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key)["']?\s{0,3}[=:]\s{0,3}["']?|--[\w-]{0,40}(?:password|secret|token|key)\s{1,3}["']?))[^\s"',;]+/gi;

/** A text with its secrets masked, as far as their form, their name or the environment reveals them. */
export function maskText(text: string, env: Environment): string {
  // Patterns match the visible text.
  const open = withoutKeyEnds(text.replace(BREAKS, '').replace(PRIVATE_KEY, MASK));
  const values = secretsOf(env);
  const said = open.replace(SAID, (_, name: string) => `${name}${MASK}`);
  const { spelled, plain } = withinReach(secretsIn(said.split(/\s+/), {}));
  return mask(mask(maskWords(said, plain), values), spelled);
}

/** In a shell `PWD` and `OLDPWD` are folders. */
const FOLDER = /^(?:OLD)?PWD$/;

function secretsOf(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    NAME.test(name) && !FOLDER.test(name) && isSecret(value) ? [value] : [],
  );
}

/** Patterns of more letters take seconds to make, or cannot be made. */
const MOST_LETTERS = 500;

/**
 * Which secrets are searched in every encoding. A text may consist of look-alikes to slow the server down, so above a
 * limit the longest are masked only in plain form.
 */
function withinReach(secrets: readonly string[]) {
  const spelled: string[] = [];
  const plain = new Set<string>();
  let letters = 0;
  for (const secret of secrets.toSorted((a, b) => a.length - b.length)) {
    letters += secret.length;
    if (letters > MOST_LETTERS) plain.add(secret);
    else spelled.push(secret);
  }
  return { spelled, plain };
}

function maskWords(text: string, secrets: ReadonlySet<string>): string {
  if (secrets.size === 0) return text;
  return text
    .split(/(\s+)/)
    .map((word) => (secrets.has(word) ? MASK : withoutOwn(word, secrets)))
    .join('');
}

function withoutOwn(word: string, secrets: ReadonlySet<string>): string {
  const own = secretsIn([word], {}).filter((secret) => secrets.has(secret));
  const longestFirst = own.toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, MASK), word);
}

/** The secrets in the words of a command line, as far as their form, their name or the environment reveals them. */
export function secretsIn(words: readonly string[], env: Environment): string[] {
  const found = words.flatMap((word, i) => [
    ...named(word),
    ...[KNOWN, UUID, RANDOM].flatMap((form) => word.match(form) ?? []),
    ...(word.match(JWT) ?? []).filter((token) => token.includes('.')),
    ...(word.match(/(?<=:\/\/)[^/@\s]+(?=@)/g) ?? []).flatMap((user) => [user, ...user.split(':')]),
    // `--api-key VALUE`, however short.
    ...(i > 0 && /^-/.test(words[i - 1] ?? '') && NAME.test(words[i - 1] ?? '') ? [word] : []),
    // `-u name:password`
    ...(/^(?:-u|--(?:proxy-)?user)$/.test(words[i - 1] ?? '') ? [word, ...word.split(':').slice(1)] : []),
  ]);
  const known = secretsOf(env).filter((value) => words.some((word) => word.includes(value)));
  return [...new Set([...found, ...known])].filter((secret) => secret !== '');
}

/** `NAME=value`, `Name: value`, `"name": "value"`, `?name=value`, with the word before a key such as `Bearer`. */
function named(word: string): string[] {
  const [, name = '', whole = ''] = /^-{0,2}([\w.-]+)=(.+)$/s.exec(word) ?? [];
  const parts = [
    ...word.matchAll(/(?<![\w.-])([\w.-]+)["']?\s*[=:]\s*["']?([^\s&;,"']+)(?:\s+([^\s&;,"']+))?/g),
  ];
  return [
    // A comma or an ampersand may be part of it.
    ...(NAME.test(name) ? [whole] : []),
    ...parts.flatMap(([, of = '', value = '', second]) =>
      NAME.test(of) && !value.startsWith('//') ? [second ?? value] : [],
    ),
  ];
}
