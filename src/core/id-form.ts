/** Full identifiers are lower-case UUIDv7. */
const fullId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Short identifiers of reports and unit tests: 12 characters without the look-alikes 0 1 i l o. */
export const shortIdAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";
export const shortIdLength = 12;
const shortId = /^[23456789a-hjkmnp-z]{12}$/;

export type IdForm = "full" | "full_or_short";

export const isFullId = (text: string): boolean => fullId.test(text);
export const isShortId = (text: string): boolean => shortId.test(text);

export const canBeId = (text: string, form: IdForm): boolean =>
  isFullId(text) || (form === "full_or_short" && isShortId(text));
