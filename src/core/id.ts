import { z } from "zod";
import { accepting } from "./accepted-form.ts";

/** Full identifiers are lower-case UUIDv7. */
const fullId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Short identifiers of reports and unit tests: 12 characters without the look-alikes 0 1 i l o. */
export const shortIdAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";
export const shortIdLength = 12;
const shortId = /^[23456789a-hjkmnp-z]{12}$/;

export const isFullId = (text: string): boolean => fullId.test(text);
export const isShortId = (text: string): boolean => shortId.test(text);

/** An identifier in an answer. */
export const Id = z.string();

type IdForm = "full" | "full_or_short";

/**
 * Which input fields name the resource a call is about. Text that cannot be such an identifier answers 404
 * like one that does not exist, so the schema itself accepts any string.
 */
export const resourceIds = z.registry<{ form: IdForm }>();

const resourceId = (form: IdForm): z.ZodString => {
  const schema = accepting(z.string(), "an identifier, as lists give it");
  resourceIds.add(schema, { form });
  return schema;
};

/** Names one resource by its full identifier. */
export const resourceIdInput = (): z.ZodString => resourceId("full");

/** Names one report or unit test by its full or short identifier. */
export const resourceOrShortIdInput = (): z.ZodString => resourceId("full_or_short");

/** Whether `text` can name a resource in the given form. */
export const canBeId = (text: string, form: IdForm): boolean =>
  isFullId(text) || (form === "full_or_short" && isShortId(text));

/** An identifier used as a filter: one that cannot exist is a mistake worth naming (400). */
export const IdFilter = accepting(z.string().refine(isFullId), "a full identifier, as lists give it");

/** A report or unit test used as a filter, by either identifier. */
export const IdOrShortFilter = accepting(
  z.string().refine((text) => canBeId(text, "full_or_short")),
  "a full or short identifier, as lists give it",
);
