import { z } from "zod";

type Project = (value: unknown) => unknown;

const asIs: Project = (value) => value;

/** Copies only the declared fields, so that no other column of the store is sent by accident. */
export function compileProjection(schema: z.ZodType): Project {
  if (schema instanceof z.ZodObject) return projectObject(schema);
  if (schema instanceof z.ZodArray) return projectArray(schema.element as z.ZodType);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = compileProjection(schema.unwrap() as z.ZodType);
    return inner === asIs ? asIs : (value) => (value === null || value === undefined ? value : inner(value));
  }
  if (
    schema instanceof z.ZodUnion &&
    schema.options.some((option) => compileProjection(option as z.ZodType) !== asIs)
  ) {
    throw new Error("An output may not be one of several objects: its field list would be ambiguous.");
  }
  return asIs;
}

function projectArray(element: z.ZodType): Project {
  const inner = compileProjection(element);
  return inner === asIs ? asIs : (value) => (value as unknown[]).map(inner);
}

function projectObject(schema: z.ZodObject): Project {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, compileProjection(field as z.ZodType)] as const,
  );
  return (value) => {
    const source = value as Record<string, unknown>;
    const copy: Record<string, unknown> = {};
    for (const [name, project] of fields) {
      const field = source[name];
      if (field !== undefined) copy[name] = project === asIs ? field : project(field);
    }
    return copy;
  };
}
