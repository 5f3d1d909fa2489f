/** Whether the client's `If-None-Match` has this version. */
export const isKnownEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
