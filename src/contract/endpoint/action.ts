import { z } from "zod";
import type { PlanFeature } from "../../core/access/plan.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { AnonymousCaller, SessionCaller } from "../call/caller.ts";
import type { Context } from "../call/context.ts";
import type { FileIntake } from "./endpoint.ts";
import { idFieldsOf, type IdField } from "./field.ts";

/** `anyone` may be signed in or not; `person` is signed in; `admin` is a person with that role. */
type WhoActs = "anyone" | "person" | "admin";

type CallerOf<Who extends WhoActs> = Who extends "anyone" ? AnonymousCaller | SessionCaller : SessionCaller;

interface ActionSpec<Shape extends z.ZodRawShape, Code extends ErrorCode, Who extends WhoActs, Answer> {
  /** `resource.verb`; a cursor belongs to the action of that name. */
  readonly id: string;
  readonly who: Who;
  /** The feature that the plan of the account must have. */
  readonly plan?: PlanFeature;
  /** True where people must have proved lately who they are: what a borrowed browser must not do. */
  readonly freshProof?: true;
  /** What the person sends; left out where that is nothing. */
  readonly input?: Shape;
  /** Where one field is a file: how it is read. */
  readonly file?: { readonly field: keyof Shape & string; readonly intake: FileIntake };
  /** What `run` refuses with; refusals of the input, of the session and of the plan are not listed. */
  readonly errors: readonly Code[];
  run(input: z.output<z.ZodObject<Shape>>, context: Context<CallerOf<Who>, Code>): Promise<Answer>;
}

/** An action, whatever its types. */
export interface Action {
  readonly id: string;
  readonly who: WhoActs;
  readonly plan: PlanFeature | undefined;
  readonly freshProof: boolean;
  readonly input: z.ZodObject;
  /** The input without the file, which is checked where it is read. */
  readonly besideFile: z.ZodObject;
  readonly file: { readonly field: string; readonly intake: FileIntake } | null;
  readonly errors: readonly ErrorCode[];
  readonly idFields: readonly IdField[];
  readonly run: (input: never, context: never) => Promise<unknown>;
}

/** An action that still knows what it takes and answers. */
export interface TypedAction<In extends z.ZodObject = z.ZodObject, Answer = unknown> extends Action {
  readonly input: In;
  readonly run: (input: never, context: never) => Promise<Answer>;
}

/**
 * Declares what only a person does, in the browser: pages call actions, and no route and no tool leads to one. The
 * compiler refuses a `fail` with a code that `errors` does not list.
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
