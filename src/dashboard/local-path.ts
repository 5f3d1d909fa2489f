/** A place on this service that somebody asked to be led to; null for anything that could lead elsewhere. */
export function localPath(path: string | null): string | null {
  if (path === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path) || path.includes("\\")) return null;
  const here = "http://here.invalid";
  if (!URL.canParse(path, here)) return null;
  const { origin, pathname, search } = new URL(path, here);
  // Dots in a path can make it start with two slashes only once they are resolved.
  return origin === here && !pathname.startsWith("//") ? pathname + search : null;
}

/** A page's path, carrying along where somebody is to be led in the end. */
export const withRedirect = (path: string, to: string | null): string =>
  to === null ? path : `${path}?${new URLSearchParams({ to })}`;
