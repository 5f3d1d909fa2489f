import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accepts, schemaAt } from "../../../src/contract/endpoint/json-schema.ts";
import { agentEndpoints } from "../../../src/endpoints/agent/registry.ts";
import { apiEndpoints } from "../../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../../src/endpoints/plugin/registry.ts";
import { allActions } from "../../support/actions.ts";

const cat = z.object({ kind: z.literal("cat"), name: z.string().nullable(), lives: z.int().min(0).max(9) });
const dog = z.object({ kind: z.literal(["dog", "wolf"]), name: z.int(), lives: z.int().min(0).max(9) });
const fish = z.object({ kind: z.literal("fish"), name: z.int(), fins: z.array(z.boolean()) });
const pets = z.object({ pets: z.array(z.discriminatedUnion("kind", [cat, dog, fish])).nullish() });

const taken = (...path: readonly (string | number)[]): string | null => {
  const schema = schemaAt(pets, ["pets", 0, ...path]);
  return schema && accepts(schema);
};

describe("what an issue's path leads to", () => {
  it("[OUR-PLG-05] in a value of several kinds is what all kinds take there, or the one that has it", () => {
    expect(taken("lives")).toBe("a whole number from 0 to 9");
    expect(taken("fins", 2)).toBe("true or false");
    expect(taken("wings")).toBeNull();
    expect(taken("fins", 2, "deeper")).toBeNull();
  });

  it("[OUR-PLG-05] where the kinds differ is told of each", () => {
    expect(taken("name")).toBe(
      "text, or null when kind is cat; a whole number when kind is dog or wolf or fish",
    );
  });

  it("[OUR-PLG-05] the name of the kind is one of them", () => {
    expect(taken("kind")).toBe("one of cat, dog, wolf, fish");
  });

  it("[OUR-PLG-05] is found through lists and wrappers, and not beside them", () => {
    expect(schemaAt(pets, [])).toBe(pets);
    expect(schemaAt(pets, ["pets", 0])).toBeInstanceOf(z.ZodDiscriminatedUnion);
    expect(schemaAt(pets, ["other"])).toBeNull();
    expect(schemaAt(z.union([cat, dog]), ["lives"])).toBeNull();
  });
});

describe("what a field takes", () => {
  it("[ERR-06] is told with how many values a list may have, the least too", () => {
    const list = z.array(z.boolean());
    expect(accepts(list)).toBe("a list, each true or false");
    expect(accepts(list.max(3))).toBe("a list of at most 3 values, each true or false");
    expect(accepts(list.min(1).max(3))).toBe("a list of at least 1 and at most 3 values, each true or false");
    expect(accepts(list.min(2))).toBe("a list of at least 2 values, each true or false");
  });

  it("[ERR-06] names null once, at the end of what else is taken", async () => {
    const endpoints = [...apiEndpoints, ...pluginEndpoints, ...agentEndpoints];
    const called = [...endpoints, ...(await allActions()).values()];
    const told = called.flatMap(({ id, input }) =>
      Object.entries(input.shape).map(
        ([name, schema]) => `${id} ${name} takes ${accepts(schema as z.ZodType)}`,
      ),
    );
    expect(told.length).toBeGreaterThan(300);
    expect(told.filter((sentence) => sentence.split("or null").length > 2)).toEqual([]);
    expect(told).toContain(
      "notifications.set_chat url takes an https address without a user name, at port 443 or one from 1024, or null",
    );
  });
});
