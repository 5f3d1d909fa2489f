import { z } from "zod";
import { shownBytes, type JsonRule } from "./shown-json.ts";

/** Every key and string below such a schema is third-party text. */
export const jsonRules = z.registry<JsonRule>();

/** Kept as it was sent, at most `maxBytes` long; `maxDepth` limits only what `showJson` shows. */
export const thirdPartyJson = (rule: JsonRule): z.ZodUnknown => {
  const schema = z.unknown().refine((value) => value !== undefined && shownBytes(value) <= rule.maxBytes);
  jsonRules.add(schema, rule);
  return schema;
};

/** `rule` limits only what is shown. */
export const thirdPartyObject = (rule: JsonRule) => {
  const schema = z.record(z.string(), z.unknown());
  jsonRules.add(schema, rule);
  return schema;
};
