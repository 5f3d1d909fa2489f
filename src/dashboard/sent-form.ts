import type { FastifyRequest } from "fastify";
import type { DashboardDeps } from "./deps.ts";

/** What a request sent to a page: a form, or the bytes of a file. */
interface Sent {
  readonly form: URLSearchParams;
  readonly bytes: Buffer | null;
}

const sent = new WeakMap<FastifyRequest, Sent>();

const nothing: Sent = { form: new URLSearchParams(), bytes: null };

/** What was read of a request; nothing before it was. */
export const sentBy = (request: FastifyRequest): Sent => sent.get(request) ?? nothing;

export const isForm = ({ headers }: FastifyRequest): boolean =>
  (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");

/** Reads what a request sends. Rejects with the refusal of what is too long. */
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
