/** A place on this service that somebody asked to be led to; null for anything that could lead elsewhere. */
export function localPath(asked: string | null): string | null {
  if (asked === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(asked) || asked.includes("\\")) return null;
  const here = "http://here.invalid";
  if (!URL.canParse(asked, here)) return null;
  const { origin, pathname, search } = new URL(asked, here);
  // Dots in a path can make it start with two slashes only once they are resolved.
  return origin === here && !pathname.startsWith("//") ? pathname + search : null;
}

/** A page's path, carrying along where somebody is to be led in the end. */
export const carrying = (path: string, to: string | null): string =>
  to === null ? path : `${path}?${new URLSearchParams({ to })}`;
