/** How much a request asks for, by what it names: never by what was then spent on it (R58d). Counts only, no words. */
import type { RequestScope } from '../evidence.ts';

const MAX_LOOK = 4_000;
const MOST = 50;

const FILES =
  /(?:^|[\s"'`(@])(?:(?:~|\.{1,2})?\/?(?:[\w.@-]{1,64}\/){1,12}[\w.@-]{1,64}|[\w-]{1,64}\.(?:tsx?|mts|jsx?|mjs|cjs|py|go|rs|java|kt|rb|c|cc|cpp|h|hpp|cs|php|swift|scala|sh|sql|md|json|ya?ml|toml|html|css|scss|vue|svelte|ipynb|tf|proto))\b/g;
const SYSTEMS =
  /\b(?:databases?|postgres(?:ql)?|mysql|sqlite|mongo(?:db)?|redis|kafka|rabbitmq|elasticsearch|s3|aws|gcp|azure|docker|kubernetes|k8s|terraform|helm|github|gitlab|jira|linear|slack|stripe|salesforce|oauth|sso|nginx|ci|front-?end|back-?end|api|cli|mobile app|ios|android|web app|server|client|worker|queue|scheduler|cache|auth(?:entication)?|billing|payments?|telemetry|graphql|grpc|websockets?|goreleaser|homebrew|npm|pypi)\b/gi;
const HOSTS = /https?:\/\/([\w.-]{1,100})/g;
const PARTS = /(?:^|\n)[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+\S/g;
const WIDE =
  /\b(?:across (?:the|all|every|our)|throughout|everywhere|all (?:of )?(?:the |our )?(?:files|services|modules|packages|tests|callers|usages|endpoints|components|places|strategies|agents)|every (?:file|service|module|package|endpoint|component|caller|place)|(?:whole|entire) (?:code ?base|project|app|repo\w*|system|thing)|code ?base|migrat(?:e|ion|ing)\b|re-?architect\w*|redesign|from scratch|end[- ]to[- ]end|new (?:feature|service|module|system|subsystem|strategy))\b/i;
const NARROW =
  /\b(?:typos?|rename (?:this|the|it)|one[- ]?liner?|(?:single|one) (?:line|word|file|function)|simplest|tiny|trivial|quick(?:ly)?|bump (?:the|to|version)|version bump|nothing exotic|small (?:change|fix|tweak|test))\b/i;

export function scopeOf(text: string): RequestScope {
  const seen = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  const plain = seen.replace(HOSTS, ' ');
  return {
    files: distinct(plain, FILES),
    systems: distinct(plain, SYSTEMS) + distinct(seen, HOSTS),
    parts: Math.min(MOST, [...seen.matchAll(PARTS)].length),
    wide: WIDE.test(seen),
    narrow: NARROW.test(seen),
  };
}

function distinct(text: string, pattern: RegExp): number {
  const found = new Set<string>();
  for (const [match] of text.matchAll(pattern)) {
    found.add(match.trim().toLowerCase());
    if (found.size >= MOST) break;
  }
  return found.size;
}

/** Of several requests, the largest decides. */
export function widerScope(a: RequestScope | undefined, b: RequestScope): RequestScope {
  if (a === undefined) return b;
  return {
    files: Math.max(a.files, b.files),
    systems: Math.max(a.systems, b.systems),
    parts: Math.max(a.parts, b.parts),
    wide: a.wide || b.wide,
    narrow: a.narrow && b.narrow,
  };
}
