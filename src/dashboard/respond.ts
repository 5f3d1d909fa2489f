import type { FastifyReply, FastifyRequest } from "fastify";
import { h } from "preact";
import { callAsPerson, type PersonCalling } from "../contract/call/call-as-person.ts";
import { isSignedIn } from "../contract/call/person.ts";
import { getAttention } from "../actions/notice/get-attention.ts";
import { asRefusal } from "../contract/call/refusals.ts";
import { Refusal } from "../core/errors.ts";
import { nextTurn } from "../core/turns.ts";
import { renderContent, renderPage, type FrameContext } from "./frame.tsx";
import { LivePart, LoadedPart } from "./parts/live-part.tsx";
import type { DashboardPage, FormProblem } from "./page.ts";
import { pageRequestOf } from "./page-request.ts";
import { asOutcome, submit, type RenderedPage } from "./submit.ts";
import { pageAddressOf, type Piece } from "./page-address.ts";
import { chargeSender, visitorOf } from "./visitor-of.ts";
import { errorPage } from "./error-page.tsx";
import { securityHeaders } from "./security-headers.ts";
import { sentBy } from "./sent-form.ts";
import { formHolder } from "./session-cookie.ts";
import type { DashboardDeps } from "./deps.ts";

/** Shows a page, or runs the action of its form. */
export async function respond(
  page: DashboardPage,
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams | null,
): Promise<FastifyReply> {
  const { app } = deps;
  try {
    const person = await visitorOf(deps, request);
    if (page.who !== "anyone" && !isSignedIn(person))
      return redirect(reply, `/sign-in?${new URLSearchParams({ to: request.url })}`);
    refuseUnlessAdmin(page, person);
    const pageRequest = pageRequestOf(deps, request, person);
    const outcome =
      form === null
        ? asOutcome(await page.show(pageRequest, null))
        : await submit(page, deps, request, reply, pageRequest, form);
    if ("to" in outcome) return redirect(reply, outcome.to);
    return await send(deps, request, reply, person, outcome, page);
  } catch (error) {
    const refusal = asRefusal(error, app, request.id);
    if (form !== null) await chargeSender(deps, request, refusal);
    return respondWithError(deps, request, reply, refusal, refusal.status);
  }
}

/** Null if the request is for the whole page. */
export function pieceIn(page: DashboardPage, request: FastifyRequest): Piece | null {
  const { piece } = pageAddressOf(request);
  if (piece === null) return null;
  const kinds = piece.kind === "part" ? [page.parts, page.loadedParts] : [page.data];
  return kinds.some((pieces) => Object.keys(pieces).length > 0) ? piece : null;
}

export async function respondWithPiece(
  page: DashboardPage,
  { kind, name }: Piece,
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const person = await visitorOf(deps, request);
    if (page.who !== "anyone" && !isSignedIn(person))
      throw new Refusal("unauthorized", "Sign in to see this.");
    refuseUnlessAdmin(page, person);
    const pageRequest = pageRequestOf(deps, request, person);
    const named = <T>(pieces: Readonly<Record<string, T>>) =>
      Object.hasOwn(pieces, name) ? pieces[name] : undefined;
    if (kind === "data") {
      const data = named(page.data);
      if (data) return reply.headers(securityHeaders()).send(await data(pageRequest));
    }
    const [live, loaded] = kind === "part" ? [named(page.parts), named(page.loadedParts)] : [];
    const part = live ?? loaded;
    if (!part) throw new Refusal("not_found", "This page has no such part.");
    const content = h(live ? LivePart : LoadedPart, { of: name, children: await part(pageRequest) });
    await nextTurn();
    const html = await renderContent(content, contextOf(deps, request, reply, person, page, null));
    return sendHtml(reply, html, 200);
  } catch (error) {
    const refusal = asRefusal(error, deps.app, request.id);
    return respondWithError(deps, request, reply, refusal, refusal.status);
  }
}

function refuseUnlessAdmin(page: DashboardPage, person: PersonCalling): void {
  if (page.who === "admin" && isSignedIn(person) && person.account.role !== "admin")
    throw new Refusal("not_found", "This page does not exist, or this account may not see it.");
}

/** Answers with the page to open, or with an error message. */
export async function receiveUpload(
  page: DashboardPage,
  upload: NonNullable<DashboardPage["upload"]>,
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { app } = deps;
  reply.headers(securityHeaders());
  try {
    const person = await visitorOf(deps, request);
    if (page.who !== "anyone" && !isSignedIn(person))
      throw new Refusal("unauthorized", "Sign in to do this.");
    const { bytes } = sentBy(request);
    if (!bytes) throw new Refusal("invalid_body", "This file is empty. Choose another file.");
    return reply.send(await upload.take({ ...pageRequestOf(deps, request, person), bytes }));
  } catch (error) {
    const refusal = asRefusal(error, app, request.id);
    await chargeSender(deps, request, refusal);
    return reply.code(refusal.status).send({ message: refusal.message });
  }
}

export async function respondWithError(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  status: number,
): Promise<FastifyReply> {
  const nobody: PersonCalling = { kind: "anonymous", address: deps.addressOf(request) };
  const person = refusal.status >= 500 ? nobody : await visitorOf(deps, request).catch(() => nobody);
  return send(deps, request, reply, person, { shown: { ...errorPage(refusal), status }, problem: null });
}

const redirect = (reply: FastifyReply, to: string): FastifyReply =>
  reply.headers(securityHeaders()).redirect(to, 303);

async function send(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  person: PersonCalling,
  { shown, problem }: RenderedPage,
  page: DashboardPage | null = null,
): Promise<FastifyReply> {
  const attention = isSignedIn(person)
    ? await callAsPerson(deps.app, getAttention, person, {}, request.id)
    : null;
  await nextTurn();
  const html = await renderPage(shown, {
    ...contextOf(deps, request, reply, person, page, problem),
    attention,
  });
  if (shown.refreshTo !== undefined) reply.header("refresh", `0; url=${shown.refreshTo}`);
  return sendHtml(reply, html, shown.status ?? 200, shown.formTargets);
}

const sendHtml = (
  reply: FastifyReply,
  html: string,
  status: number,
  formTargets?: readonly string[],
): FastifyReply =>
  reply
    .code(status)
    .headers(securityHeaders(formTargets))
    .header("content-type", "text/html; charset=utf-8")
    .send(html);

const contextOf = (
  { app, assets }: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  person: PersonCalling,
  page: DashboardPage | null,
  problem: FormProblem | null,
): FrameContext => ({
  person,
  path: pageAddressOf(request).path,
  csrfToken: reply.generateCsrf({ userInfo: formHolder(request, app.baseUrl) }),
  formIdOf: (action) => (page?.once?.[action] === undefined ? null : app.secrets.newId(app.clock())),
  parts: Object.keys(page?.parts ?? {}),
  loadedParts: Object.keys(page?.loadedParts ?? {}),
  problem,
  attention: null,
  passkeyOrigin: app.accountPolicy.passkeyParty()?.origin ?? null,
  asset: assets.addressOf,
});
