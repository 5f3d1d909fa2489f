/** The address of a file of the build. Sources that a test runner loads find it in the build's folder. */
export function builtFile(path: string): URL {
  const own = import.meta.url;
  return own.endsWith(".ts") ? new URL(`../../../dist/src/bench/${path}`, own) : new URL(`../${path}`, own);
}
