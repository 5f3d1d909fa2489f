import { z } from "zod";
import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { registeredSchemas } from "../../contract/endpoint/json-schema.ts";
import { componentSchemas } from "./component-schemas.ts";
import { pascalName } from "./operation.ts";

type Json = Record<string, unknown>;

const prefix = "#/components/";
const uriOf = (id: string): string => `${prefix}schemas/${id}`;

export interface NamedOutputs {
  readonly schemas: Readonly<Record<string, Json>>;
  referenceTo(output: z.ZodType): Json;
}

/** Domain types have their own names, a page is named after its rows, other answers after their endpoint. */
export function namedOutputs(endpoints: readonly Endpoint[]): NamedOutputs {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(componentSchemas)) registry.add(schema, { id });
  for (const endpoint of endpoints) {
    const { output } = endpoint;
    if (registry.has(output)) continue;
    const row = rowOf(output);
    const rowName = row && registry.get(row)?.id;
    registry.add(output, { id: rowName ? `${rowName}Page` : `${pascalName(endpoint)}Result` });
  }
  return {
    schemas: registeredSchemas(registry, uriOf),
    referenceTo: (output) => ({ $ref: uriOf(registry.get(output)?.id ?? "") }),
  };
}

/** The row type of a page; null if the answer is not a page. */
function rowOf(output: z.ZodType): z.ZodType | null {
  if (!(output instanceof z.ZodObject) || !("page" in output.shape)) return null;
  const { data } = output.shape as Record<string, z.ZodType>;
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : null;
}

/** The components that a value references, directly or indirectly. */
export function usedIn(value: unknown, components: Readonly<Record<string, unknown>>): Json {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, member] of Object.entries(node)) {
      if (key !== "$ref" || typeof member !== "string") {
        visit(member);
        continue;
      }
      const name = member.split("/").at(-1) ?? "";
      if (!(name in components) || used.has(name)) continue;
      used.add(name);
      visit(components[name]);
    }
  };
  visit(value);
  return Object.fromEntries(Object.entries(components).filter(([name]) => used.has(name)));
}
