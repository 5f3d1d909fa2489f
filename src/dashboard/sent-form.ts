import type { FastifyRequest } from "fastify";
import { Refusal } from "../core/errors.ts";
import type { DashboardDeps } from "./deps.ts";

interface Sent {
  readonly form: URLSearchParams;
  readonly csrfToken: string;
  readonly bytes: Buffer | null;
  /** Of the body, bytes. */
  readonly length: number;
}

/** A form has one field for each of 500 servers. */
const mostFields = 1000;

const sent = new WeakMap<FastifyRequest, Sent>();

const nothing: Sent = { form: new URLSearchParams(), csrfToken: "", bytes: null, length: 0 };

/** Empty before the body is read. */
export const sentBy = (request: FastifyRequest): Sent => sent.get(request) ?? nothing;

export const isForm = ({ headers }: FastifyRequest): boolean =>
  (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");

/** Rejects with a refusal if the body is too long. */
export async function receiveSent(
  request: FastifyRequest,
  { receive }: DashboardDeps,
  limit: number,
): Promise<void> {
  const bytes = await receive(request, limit);
  sent.set(request, isForm(request) ? formIn(bytes) : { ...nothing, bytes, length: bytes?.length ?? 0 });
}

const csrfField = /(?:^|&)(_csrf=[^&]*)/;

/**
 * Fields are parsed when they are first read. A broken escape costs microseconds, so only the token is
 * decoded before it is checked, and forms with broken escapes or too many fields never are.
 */
function formIn(bytes: Buffer | null): Sent {
  const text = bytes?.toString("utf8") ?? "";
  let form: URLSearchParams | null = null;
  return {
    get form() {
      form ??= fieldsIn(text);
      return form;
    },
    get csrfToken() {
      return new URLSearchParams(csrfField.exec(text)?.[1]).get("_csrf") ?? "";
    },
    bytes: null,
    length: bytes?.length ?? 0,
  };
}

function fieldsIn(text: string): URLSearchParams {
  let fields = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) fields += 1;
  if (fields > mostFields)
    throw new Refusal("too_large", `This form has more than ${mostFields} fields.`, { limit: mostFields });
  try {
    decodeURIComponent(text);
  } catch {
    throw new Refusal("validation_error", "This form was not sent by a browser: its escapes are not UTF-8.");
  }
  return new URLSearchParams(text);
}
