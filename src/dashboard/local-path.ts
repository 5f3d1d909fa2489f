/** Null if the redirect target could lead to another host. */
export function localPath(path: string | null): string | null {
  if (path === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path) || path.includes("\\")) return null;
  const here = "http://here.invalid";
  if (!URL.canParse(path, here)) return null;
  const { origin, pathname, search } = new URL(path, here);
  // Resolving dots can make a path start with two slashes.
  return origin === here && !pathname.startsWith("//") ? pathname + search : null;
}

export const withRedirect = (path: string, to: string | null): string =>
  to === null ? path : `${path}?${new URLSearchParams({ to })}`;
