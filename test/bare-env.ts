/**
 * The environment of a machine on which nobody has set anything: a search path and a home. What Node and the product
 * keep for a while goes where the run of the tests removes it.
 */
export function bareEnv(home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return { PATH, TMPDIR, NODE_COMPILE_CACHE, HOME: home };
}
