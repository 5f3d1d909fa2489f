import { z } from "zod";
import { accepting } from "./accepted-form.ts";
import { canBeId, isFullId, type IdForm } from "./id-form.ts";

/** An identifier in an answer. */
export const Id = z.string();

/** Names the resource of a call. Every string is accepted: one that cannot be an id is 404, not 400. */
export const resourceIds = z.registry<{ form: IdForm }>();

const resourceId = (form: IdForm): z.ZodString => {
  const schema = accepting(z.string(), "an identifier, as lists give it");
  resourceIds.add(schema, { form });
  return schema;
};

export const resourceIdInput = (): z.ZodString => resourceId("full");

/** Only reports and unit tests have short identifiers. */
export const resourceOrShortIdInput = (): z.ZodString => resourceId("full_or_short");

/** A filter that cannot be an identifier is refused (400). */
export const IdFilter = accepting(z.string().refine(isFullId), "a full identifier, as lists give it");

export const IdOrShortFilter = accepting(
  z.string().refine((text) => canBeId(text, "full_or_short")),
  "a full or short identifier, as lists give it",
);

export const isIdFilter = (schema: z.ZodType): boolean => schema === IdFilter || schema === IdOrShortFilter;
