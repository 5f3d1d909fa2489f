import { expect, it } from "vitest";
import { errorStatus } from "../../src/core/errors.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { read } from "./sources.ts";

const documented = [...read("resources/guides/errors.md").matchAll(/^### (\w+)$/gm)].map(
  ([, code]) => code ?? "",
);

it("[ERR-01] every error code has its paragraph in the guide, and every paragraph its code", () => {
  expect(documented.toSorted()).toEqual(Object.keys(errorStatus).toSorted());
});

it("the guide's headings name the status of the codes below them", () => {
  let statuses: number[] = [];
  for (const line of read("resources/guides/errors.md").split("\n")) {
    const heading = /^## .*\(([\d, ]+)\)$/.exec(line)?.[1];
    if (heading) statuses = heading.split(", ").map(Number);
    const code = /^### (\w+)$/.exec(line)?.[1];
    if (code) expect(statuses, code).toContain(errorStatus[code as keyof typeof errorStatus]);
  }
});

it("endpoints declare only codes of the catalogue", () => {
  for (const { id, errors } of [...apiEndpoints, ...pluginEndpoints]) {
    for (const code of errors) expect(errorStatus, id).toHaveProperty(code);
  }
});
