import type { z } from "zod";
import type { PlanFeature } from "../../core/access/plan.ts";
import type { Scope } from "../../core/access/scope.ts";
import type { AttemptLimit } from "../limits/attempt-limits.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type {
  AccountCaller,
  AnonymousCaller,
  RunnerCaller,
  ServerCaller,
  TokenCaller,
} from "../call/caller.ts";
import type { Context, Fail } from "../call/context.ts";
import type { BatchKind, UploadTask } from "../files/document-tasks.ts";
import { describeFields, idFieldsOf, type Field, type IdField } from "./field.ts";
import { compileProjection } from "./projection.ts";

export type Access =
  | {
      readonly face: "api";
      /** Null: any valid token. */
      readonly scope: Scope | null;
      /** True if callers without a token get the public part. */
      readonly anonymous?: boolean;
      readonly plan?: PlanFeature;
      /** True if the answer is about the token, which a person does not have. */
      readonly tokenOnly?: true;
      /** `hour`: the call counts in the token's hour window only. */
      readonly counts?: "hour";
    }
  | {
      readonly face: "plugin";
      readonly credential: "server";
      /** True if the answer itself tells a disabled account's server that nothing is stored. */
      readonly saysAccepted?: true;
    }
  | {
      readonly face: "plugin";
      readonly credential: "none";
      /** Every attempt counts, before its body is read. */
      readonly attempts: AttemptLimit & { readonly message: string };
    }
  | { readonly face: "agent"; readonly credential: "runner" };

type CallerOf<A extends Access> = A extends { face: "api" }
  ? A extends { anonymous: true }
    ? AnonymousCaller | AccountCaller
    : A extends { tokenOnly: true }
      ? TokenCaller
      : AccountCaller
  : A extends { credential: "server" }
    ? ServerCaller
    : A extends { credential: "runner" }
      ? RunnerCaller
      : AnonymousCaller;

/** Path placeholders are written `{id}`. */
type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** An answer with a status other than 200. */
export class Reply<T> {
  readonly status: number;
  readonly value: T;
  constructor(status: number, value: T) {
    this.status = status;
    this.value = value;
  }
}
export const created = <T>(value: T): Reply<T> => new Reply(201, value);
export const queued = <T>(value: T): Reply<T> => new Reply(202, value);
/** An answer without a body; the output must be nullable. */
export const nothing = (): Reply<null> => new Reply(204, null);

export type HttpMethod = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface CheckContext<C, Code extends ErrorCode> {
  readonly caller: C;
  readonly now: Instant;
  readonly fail: Fail<Code>;
  readonly isAcceptable: (text: string) => boolean;
}

/** A body that is one large document: our JSON, or another program's file. */
export interface FileIntake {
  /** The longest body, bytes once decompressed; for JSON too. */
  readonly limit: number;
  /** Media types of accepted files from other programs. */
  readonly types: readonly string[];
  /** Reads the document; the handler gets its result. */
  readonly task: UploadTask;
}

/**
 * The field of a document: callers send what `schema` accepts, the handler gets what the endpoint's task
 * read. Sound because the schema never reads the field.
 */
export const readAs =
  <Read>() =>
  <Sent extends z.ZodType>(schema: Sent): z.ZodType<Read, z.input<Sent>> =>
    schema as unknown as z.ZodType<Read, z.input<Sent>>;

export interface EndpointSpec<
  Path extends string,
  In extends z.ZodObject,
  Out extends z.ZodType,
  Code extends ErrorCode,
  A extends Access,
> {
  /** `resource.verb`. */
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: Path;
  readonly params: { readonly [K in Placeholders<Path>]: keyof z.output<In> & string };
  readonly access: A;
  readonly summary: string;
  /** True for an addition to the documented API; OpenAPI marks it `x-tickmark-addition`. */
  readonly isAddition?: true;
  /** All input in one flat object: names in path, query and body never collide. */
  readonly input: In;
  readonly output: Out;
  /** Success statuses, the usual one first; [200] when left out. A plain answer is 200, `created` 201. */
  readonly success?: readonly number[];
  /** Codes that this handler refuses with; other refusals follow from `access` and `input`. */
  readonly errors: readonly Code[];
  /** The field that is the whole body; if it is an array, a single item may be sent without brackets. */
  readonly wholeBody?: keyof z.output<In> & string;
  /** For a body that is one large document; only with `wholeBody`. */
  readonly files?: FileIntake;
  /** For a long body that is not a document. The body is then the whole input. */
  readonly batch?: BatchKind;
  /** True for creations that accept an Idempotency-Key. */
  readonly replayable?: boolean;
  /** Whether repeating the write leaves the same state; assumed except for POST. */
  readonly idempotent?: boolean;
  readonly example: { readonly input: z.input<In>; readonly output: z.input<Out> };
  /** True for an input that needs a token on an anonymous route: without one it is 401 and uncounted. */
  needsToken?(input: z.output<In>): boolean;
  /** Checks of the input that its schema cannot express; runs right after the schema. */
  check?(input: z.output<In>, context: CheckContext<CallerOf<A>, Code>): void;
  handle(
    input: z.output<In>,
    context: Context<CallerOf<A>, Code>,
  ): Promise<z.input<Out> | Reply<z.input<Out>>>;
}

/** An endpoint without its types. */
export interface Endpoint {
  readonly id: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly access: Access;
  readonly summary: string;
  readonly isAddition: boolean;
  readonly input: z.ZodObject;
  /** The input without the document, which was checked when it was read. */
  readonly besideDocument: z.ZodObject;
  readonly output: z.ZodType;
  readonly success: readonly number[];
  readonly errors: readonly ErrorCode[];
  readonly wholeBody: { readonly name: string; readonly isList: boolean } | null;
  readonly files: FileIntake | null;
  readonly batch: BatchKind | null;
  readonly replayable: boolean;
  readonly idempotent: boolean;
  readonly example: { readonly input: unknown; readonly output: unknown };
  readonly fields: ReadonlyMap<string, Field>;
  readonly idFields: readonly IdField[];
  readonly bodyFields: readonly string[];
  /** Keeps only the fields that the output schema declares. */
  readonly project: (value: unknown) => unknown;
  readonly needsToken: ((input: unknown) => boolean) | null;
  readonly check: ((input: unknown, context: unknown) => void) | null;
  readonly handle: (input: unknown, context: unknown) => Promise<unknown>;
}

export type TypedEndpoint<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType = z.ZodType,
> = Endpoint & {
  readonly input: In;
  readonly output: Out;
};

export const isRead = (endpoint: Endpoint): boolean => endpoint.method === "GET";

/**
 * The compiler refuses a placeholder without its input field, an example that breaks a schema, and a `fail`
 * with a code that `errors` does not list.
 */
export function defineEndpoint<
  const Path extends string,
  In extends z.ZodObject,
  Out extends z.ZodType,
  const A extends Access,
  const Code extends ErrorCode = never,
>(spec: EndpointSpec<Path, In, Out, Code, A>): TypedEndpoint<In, Out> {
  const fields = describeFields(spec);
  return {
    id: spec.id,
    method: spec.method,
    path: spec.path,
    params: spec.params,
    access: spec.access,
    summary: spec.summary,
    isAddition: spec.isAddition ?? false,
    input: spec.input,
    besideDocument: spec.files === undefined ? spec.input : without(spec.input, spec.wholeBody),
    output: spec.output,
    success: spec.success ?? [200],
    errors: spec.errors,
    wholeBody: wholeBodyOf(spec.wholeBody, fields),
    files: spec.files ?? null,
    batch: spec.batch ?? null,
    replayable: spec.replayable ?? false,
    idempotent: spec.idempotent ?? spec.method !== "POST",
    example: spec.example,
    fields,
    idFields: idFieldsOf(spec.input.shape),
    bodyFields: [...fields.values()].filter((field) => field.place === "body").map((field) => field.name),
    project: compileProjection(spec.output),
    ...erased(spec),
  };
}

const without = (input: z.ZodObject, name = ""): z.ZodObject =>
  input.omit({ [name]: true } as Record<string, true> & Record<number, never>);

const wholeBodyOf = (name: string | undefined, fields: ReadonlyMap<string, Field>): Endpoint["wholeBody"] =>
  name === undefined ? null : { name, isList: fields.get(name)?.json.type === "array" };

/** Sound: handlers only get parsed input, and a caller that was checked against `access`. */
function erased(spec: object): Pick<Endpoint, "needsToken" | "check" | "handle"> {
  const { needsToken, check, handle } = spec as Partial<Endpoint> & Pick<Endpoint, "handle">;
  return { needsToken: needsToken ?? null, check: check ?? null, handle };
}
