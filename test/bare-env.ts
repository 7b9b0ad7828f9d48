/** The environment of a fresh machine: a search path and a home. Caches go where the test run removes them. */
export function bareEnv(home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return { PATH, TMPDIR, NODE_COMPILE_CACHE, HOME: home };
}
