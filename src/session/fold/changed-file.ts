/** Whether a changed file is code, whose change wants a check, or text, whose change needs none. */

const CODE = new Set(
  `ts tsx mts cts js jsx mjs cjs py pyi pyx go rs java kt kts scala sc clj cljs cljc groovy rb erb php phtml c h cc cpp cxx hh hpp hxx
  m mm cs fs fsx vb swift dart lua r jl ex exs erl hrl hs lhs ml mli elm nim zig v cr pl pm t sh bash zsh fish ps1 psm1 bat cmd awk
  sql graphql gql proto thrift avdl html htm css scss sass less vue svelte astro mdx tf tfvars hcl nix bzl cmake mk gradle
  ipynb asm s wat sol move cairo vhd vhdl sv toml yaml yml ini cfg conf env plist xml xaml tmpl tpl hbs ejs pug j2 jinja ejs
  dockerfile service`.split(/\s+/),
);
const CODE_NAMES =
  /^(?:makefile|gnumakefile|dockerfile|containerfile|jenkinsfile|rakefile|gemfile|podfile|procfile|vagrantfile|justfile|brewfile|cmakelists\.txt|build|workspace|go\.mod|go\.sum|requirements\S*\.txt|\.\w*rc)$/i;
/** JSON is mostly data; these change how something runs. */
const CODE_JSON =
  /^(?:package|tsconfig\S*|jsconfig|composer|deno|angular|turbo|nx|biome|lerna|manifest|\S*config|\S*settings\S*|\S*schema|\.\w*rc)\.jsonc?$/i;
/** File systems take no longer one. */
const LONGEST_NAME = 255;
/** Notes that agents and people keep beside the work. */
const NOTES =
  /(?:^|\/)(?:\.[\w-]+\/(?:plans|todos|memory)|\.git|docs?)\/|(?:^|\/)(?:changelog|readme|license|notice|authors|codeowners|\.gitignore)[^/]*$/i;

export function isCode(path: string): boolean {
  if (
    NOTES.test(path) &&
    !(/(?:^|\/)docs?\//.test(path) && /\.(?:ts|js|mjs|py|go|rs|tsx|jsx|css|sh)$/.test(path))
  )
    return false;
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (CODE_NAMES.test(name) || (name.length <= LONGEST_NAME && CODE_JSON.test(name))) return true;
  const dot = name.lastIndexOf('.');
  return dot > 0 && CODE.has(name.slice(dot + 1).toLowerCase());
}

/** A line that holds nothing but a comment, in the languages where its beginning tells. */
const HASH = /^\s*#(?!\s*(?:include|define|if|ifdef|ifndef|else|endif|pragma|undef|error|!|\[))/;
const SLASH = /^\s*(?:\/\/|\/\*|\*(?: |\/|$)|\*\/)/;
const OTHER: Readonly<Record<string, RegExp>> = {
  sql: /^\s*--/,
  lua: /^\s*--/,
  hs: /^\s*--/,
  elm: /^\s*--/,
  html: /^\s*<!--.*-->\s*$/,
  xml: /^\s*<!--.*-->\s*$/,
  clj: /^\s*;/,
  ini: /^\s*[;#]/,
};
const WITH_HASH = new Set(
  'py pyi rb sh bash zsh fish yaml yml toml r jl ex exs pl pm nix mk cmake tf cfg conf env ps1 awk nim cr dockerfile'.split(
    ' ',
  ),
);

const MOST_LINES = 400;
const MOST_COLUMNS = 200;

/** An edit that leaves everything but comments and empty lines as it was. */
export function changesOnlyComments(path: string, before: string, after: string): boolean {
  if (before.length + after.length > 40_000) return false;
  const left = withoutComments(path, before);
  const right = withoutComments(path, after);
  return left !== undefined && right !== undefined && left === right;
}

function withoutComments(path: string, text: string): string | undefined {
  const lines = text.split('\n');
  if (lines.length > MOST_LINES) return undefined;
  const end = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const comment = OTHER[end] ?? (WITH_HASH.has(end) ? HASH : SLASH);
  return lines
    .filter((line) => line.trim() !== '' && !comment.test(line.slice(0, MOST_COLUMNS)))
    .map((line) => line.trimEnd())
    .join('\n');
}
