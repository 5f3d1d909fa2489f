import { writeFileSync } from "node:fs";
import { prompts } from "../../resources/prompts/registry.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { defaultPlans, planIncludes, planNames, type PlanFeature } from "../core/access/plan.ts";
import { freeze } from "../mcp/catalogue/write-manifest.ts";
import type { FrozenCatalogue } from "../mcp/catalogue/manifest.ts";
import { projectVersion } from "../project.ts";

const planFeatures: readonly PlanFeature[] = ["monitoring", "auto-bench"];

/** The connector's own catalogue as plain data. */
export const ownFrozen = (): FrozenCatalogue =>
  freeze(
    { tools, resources, prompts },
    {
      version: projectVersion,
      features: Object.fromEntries(
        planNames.map((name) => [
          name,
          planFeatures.filter((feature) => planIncludes(defaultPlans[name], feature)),
        ]),
      ),
    },
  );

/** A step of the build: leaves the catalogue where the connector over stdio looks for it. */
export const freezeInto = (path: string): void => writeFileSync(path, JSON.stringify(ownFrozen()));
