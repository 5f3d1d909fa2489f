import { prompts } from "../../resources/prompts/registry.ts";
import { resources } from "../../resources/registry.ts";
import { tools } from "../../tools/registry.ts";
import { defaultPlans, planIncludes, planNames, type PlanFeature } from "../core/access/plan.ts";
import { writeManifest } from "../mcp/catalogue/write-manifest.ts";
import type { Manifest } from "../mcp/catalogue/manifest.ts";
import { projectVersion } from "../program/program-files.ts";

const planFeatures: readonly PlanFeature[] = ["monitoring", "auto-bench"];

/** The connector's catalogue as plain data. */
export const ownManifest = (): Manifest =>
  writeManifest(
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
