import { z } from "zod";
import type { PlanFeature } from "../../core/access/plan.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { AnonymousCaller, SessionCaller } from "../call/caller.ts";
import type { Context } from "../call/context.ts";
import type { FileIntake } from "./endpoint.ts";
import { idFieldsOf, type IdField } from "./field.ts";

/** `anyone` may be signed in or not; `person` is signed in; `admin` is a signed-in admin. */
type WhoActs = "anyone" | "person" | "admin";

type CallerOf<Who extends WhoActs> = Who extends "anyone" ? AnonymousCaller | SessionCaller : SessionCaller;

interface ActionSpec<Shape extends z.ZodRawShape, Code extends ErrorCode, Who extends WhoActs, Answer> {
  /** `resource.verb`; cursors are bound to it. */
  readonly id: string;
  readonly who: Who;
  readonly plan?: PlanFeature;
  /** True if the person must have proved their identity lately: a borrowed browser must not do it. */
  readonly freshProof?: true;
  readonly input?: Shape;
  /** The input field that is a file, and how it is read. */
  readonly file?: { readonly field: keyof Shape & string; readonly intake: FileIntake };
  /** Codes that `run` refuses with, besides those of input, session and plan. */
  readonly errors: readonly Code[];
  run(input: z.output<z.ZodObject<Shape>>, context: Context<CallerOf<Who>, Code>): Promise<Answer>;
}

/** An action without its types. */
export interface Action {
  readonly id: string;
  readonly who: WhoActs;
  readonly plan: PlanFeature | undefined;
  readonly freshProof: boolean;
  readonly input: z.ZodObject;
  /** The input without the file, which was checked when it was read. */
  readonly besideFile: z.ZodObject;
  readonly file: { readonly field: string; readonly intake: FileIntake } | null;
  readonly errors: readonly ErrorCode[];
  readonly idFields: readonly IdField[];
  readonly run: (input: never, context: never) => Promise<unknown>;
}

export interface TypedAction<In extends z.ZodObject = z.ZodObject, Answer = unknown> extends Action {
  readonly input: In;
  readonly run: (input: never, context: never) => Promise<Answer>;
}

/**
 * Declares something that only a person does, in the browser. The compiler refuses a `fail` with a code that
 * `errors` does not list.
 */
export function action<
  const Shape extends z.ZodRawShape = Record<never, never>,
  const Who extends WhoActs = WhoActs,
  Answer = unknown,
  const Code extends ErrorCode = never,
>(spec: ActionSpec<Shape, Code, Who, Answer>): TypedAction<z.ZodObject<Shape>, Answer> {
  const shape = spec.input ?? ({} as Shape);
  const input = z.object(shape);
  const { file = null } = spec;
  return {
    id: spec.id,
    who: spec.who,
    plan: spec.plan,
    freshProof: spec.freshProof ?? false,
    input,
    besideFile: file === null ? input : z.object(without(shape, file.field)),
    file,
    errors: spec.errors,
    idFields: idFieldsOf(shape),
    run: spec.run,
  };
}

function without(shape: z.ZodRawShape, name: string): z.ZodRawShape {
  const { [name]: _left, ...rest } = shape;
  return rest;
}
