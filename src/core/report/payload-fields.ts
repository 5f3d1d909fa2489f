import { z } from "zod";
import { ReportedTps } from "../reported.ts";
import { thirdPartyText } from "../text/third-party-text.ts";

/** In every field of an upload, a missing key and null both mean "not measured" and are read as null. */
export const nullableText = (max: number) => thirdPartyText(max).nullable().default(null);
export const nullableInt = (min: number, max: number) => z.int().min(min).max(max).nullable().default(null);
export const nullableNumber = (min: number, max: number) =>
  z.number().min(min).max(max).nullable().default(null);
export const nullableBoolean = () => z.boolean().nullable().default(null);
export const nullableJsonObject = () => z.record(z.string(), z.unknown()).nullable().default(null);

/** An upload may omit a block or send null for it: then each field of the block is null. */
export const optionalBlock = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const block = z.object(shape);
  return block.nullish().transform((value) => value ?? block.parse({}));
};

export const nullableTps = () => ReportedTps.nullable().default(null);

/** Milliseconds per tick, or a latency of the same order: at most ten minutes. */
export const nullableMspt = () => nullableNumber(0, 600_000);

/** `path` leads to the value to correct, `message` says what was expected. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
