import type { FastifyRequest } from "fastify";
import type { DashboardDeps } from "./deps.ts";

/** The body of a request: a form, or the bytes of a file. */
interface Sent {
  readonly form: URLSearchParams;
  readonly bytes: Buffer | null;
}

const sent = new WeakMap<FastifyRequest, Sent>();

const nothing: Sent = { form: new URLSearchParams(), bytes: null };

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
  sent.set(
    request,
    isForm(request)
      ? { form: new URLSearchParams(bytes?.toString("utf8") ?? ""), bytes: null }
      : { form: nothing.form, bytes },
  );
}
