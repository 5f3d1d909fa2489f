import type { FastifyRequest } from "fastify";
import type { DashboardDeps } from "./deps.ts";

/** The body of a request: a form, or the bytes of a file. */
interface Sent {
  readonly form: URLSearchParams;
  readonly csrfToken: string;
  readonly bytes: Buffer | null;
}

const sent = new WeakMap<FastifyRequest, Sent>();

const nothing: Sent = { form: new URLSearchParams(), csrfToken: "", bytes: null };

/** The body that was read; empty before it is read. */
export const sentBy = (request: FastifyRequest): Sent => sent.get(request) ?? nothing;

export const isForm = ({ headers }: FastifyRequest): boolean =>
  (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");

/** Reads the body of a request. Rejects with a refusal if it is too long. */
export async function receiveSent(
  request: FastifyRequest,
  { receive }: DashboardDeps,
  limit: number,
): Promise<void> {
  const bytes = await receive(request, limit);
  sent.set(request, isForm(request) ? formIn(bytes) : { ...nothing, bytes });
}

const csrfField = /(?:^|&)(_csrf=[^&]*)/;

/**
 * A form is parsed when its fields are first read. A broken escape costs microseconds, so of a request whose token is
 * not checked yet nothing but the token is decoded.
 */
function formIn(bytes: Buffer | null): Sent {
  const text = bytes?.toString("utf8") ?? "";
  let form: URLSearchParams | null = null;
  return {
    get form() {
      form ??= new URLSearchParams(text);
      return form;
    },
    get csrfToken() {
      return new URLSearchParams(csrfField.exec(text)?.[1]).get("_csrf") ?? "";
    },
    bytes: null,
  };
}
