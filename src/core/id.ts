import { z } from "zod";
import { accepting } from "./accepted-form.ts";
import { canBeId, isFullId, type IdForm } from "./id-form.ts";

/** An identifier in an answer. */
export const Id = z.string();

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

/** An identifier used as a filter: one that cannot exist is a mistake worth naming (400). */
export const IdFilter = accepting(z.string().refine(isFullId), "a full identifier, as lists give it");

/** A report or unit test used as a filter, by either identifier. */
export const IdOrShortFilter = accepting(
  z.string().refine((text) => canBeId(text, "full_or_short")),
  "a full or short identifier, as lists give it",
);

/** Whether a schema is one of these filters. */
export const isIdFilter = (schema: z.ZodType): boolean => schema === IdFilter || schema === IdOrShortFilter;
