import type { FastifyRequest } from "fastify";
import { callAsPerson, type PersonCalling } from "../contract/call/call-as-person.ts";
import type { DashboardDeps } from "./deps.ts";
import { pageAddressOf } from "./page-address.ts";
import type { PageRequest } from "./page.ts";
import { formCookie } from "./session-cookie.ts";

export function pageRequestOf(
  { app, consents, plots, guideText }: DashboardDeps,
  request: FastifyRequest,
  person: PersonCalling,
): PageRequest {
  const { query, url } = pageAddressOf(request);
  return {
    person,
    params: request.params as Record<string, string>,
    query,
    url,
    now: app.clock(),
    plans: app.plans,
    baseUrl: app.baseUrl,
    version: app.version,
    guideText,
    requestId: request.id,
    consents,
    plots,
    browser: request.cookies?.[formCookie(app.baseUrl).cookieKey] || null,
    cookie: (name) => request.cookies?.[name] ?? null,
    call: (called, input) => callAsPerson(app, called, person, input, request.id),
  };
}
