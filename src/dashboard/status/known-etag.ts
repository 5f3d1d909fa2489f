/** Whether a client has this version already, by its `If-None-Match`. */
export const isKnownEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
