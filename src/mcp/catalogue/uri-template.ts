export interface Segment {
  readonly text: string;
  /** The input field that the segment fills; null for fixed text. */
  readonly field: string | null;
}

export const segmentsOf = (uri: string): Segment[] =>
  uri.split("/").map((text) => {
    const field = /^\{(\w+)\}$/.exec(text)?.[1] ?? null;
    if (field === null && /[{}]/.test(text)) throw new TypeError(`${uri}: a placeholder is a whole segment.`);
    return { text, field };
  });

/** The input that a URI fills in; null if the URI does not match. */
export function filledIn(segments: readonly Segment[], uri: string): Record<string, unknown> | null {
  const parts = uri.split("/", segments.length + 1);
  if (parts.length !== segments.length) return null;
  const input: Record<string, unknown> = {};
  for (const [at, { text, field }] of segments.entries()) {
    const part = parts[at] ?? "";
    if (field === null) {
      if (part !== text) return null;
      continue;
    }
    const value = decoded(part);
    if (value === null) return null;
    input[field] = value;
  }
  return input;
}

/** Null for a segment that is empty, contains `?` or `#`, or is escaped wrongly. */
function decoded(segment: string): string | null {
  if (segment === "" || /[?#]/.test(segment)) return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
