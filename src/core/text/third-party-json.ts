import { z } from "zod";
import { shownBytes, type JsonRule } from "./shown-json.ts";

/** The rule of each third-party JSON schema: every key and string below it is third-party text. */
export const jsonRules = z.registry<JsonRule>();

/**
 * Any JSON value written by a plugin or a server, at most `maxBytes` long in compact form and kept as it was
 * sent; `maxDepth` limits only what `showJson` shows.
 */
export const thirdPartyJson = (rule: JsonRule): z.ZodUnknown => {
  const schema = z.unknown().refine((value) => value !== undefined && shownBytes(value) <= rule.maxBytes);
  jsonRules.add(schema, rule);
  return schema;
};

/** A JSON object of a plugin's own words, of which `rule` limits only what is shown. */
export const thirdPartyObject = (rule: JsonRule) => {
  const schema = z.record(z.string(), z.unknown());
  jsonRules.add(schema, rule);
  return schema;
};
