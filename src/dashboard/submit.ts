import type { FastifyReply, FastifyRequest } from "fastify";
import { isSignedIn } from "../contract/call/person.ts";
import { ProofNeeded } from "../contract/call/call-as-person.ts";
import { doOnce } from "../contract/call/do-once.ts";
import { asRefusal } from "../contract/call/refusals.ts";
import { Refusal } from "../core/errors.ts";
import { confirmPerson } from "../actions/access/confirm-person.ts";
import { confirmPage, isConfirmation, withoutConfirmation } from "./confirm-page.tsx";
import type { DashboardDeps } from "./deps.ts";
import { setDisplay } from "./display.ts";
import type { DashboardPage, FormProblem, PageContent, PageRequest } from "./page.ts";
import { pageRequestOf } from "./page-request.ts";
import { deviceOf, setDevice, setSession } from "./session-cookie.ts";
import { chargeSender, forgetVisitor, visitorOf } from "./visitor-of.ts";

export type FormOutcome = { readonly to: string } | RenderedPage;

export interface RenderedPage {
  readonly shown: PageContent;
  readonly problem: FormProblem | null;
}

export const asOutcome = (
  shown: PageContent | { readonly to: string },
  problem: FormProblem | null = null,
): FormOutcome => ("to" in shown ? shown : { shown, problem });

/** Runs the action that a form names. If it is refused, the page is shown again with the reason. */
export async function submit(
  page: DashboardPage,
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: PageRequest,
  sentForm: URLSearchParams,
): Promise<FormOutcome> {
  const name = sentForm.get("do") ?? "";
  const action = Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
  if (!action)
    throw new Refusal(
      "validation_error",
      "This form has no known action. Reload the page and send it again.",
    );
  const refused = (error: unknown, refusedForm: URLSearchParams) =>
    problemOf(deps, request, reply, error, name, refusedForm);
  let pageRequest = asked;
  try {
    pageRequest = await confirmed(deps, request, asked, sentForm);
  } catch (error) {
    return asksForProof(asked, await refused(error, sentForm));
  }
  const form = withoutConfirmation(sentForm);
  const { baseUrl } = deps.app;
  const sentBefore = page.once?.[name];
  const act = () =>
    action({
      ...pageRequest,
      form,
      userAgent: request.headers["user-agent"] ?? null,
      setSession: (secret) => setSession(reply, baseUrl, secret),
      device: deviceOf(request, baseUrl),
      setDisplay: (display) => setDisplay(reply, display),
      setDevice: (device) => setDevice(reply, baseUrl, device),
    });
  try {
    if (sentBefore === undefined) return asOutcome(await act());
    const sent = { person: pageRequest.person, formId: form.get("form_id"), sentBefore };
    return asOutcome(await doOnce(deps.app, sent, act));
  } catch (error) {
    const problem = await refused(error, form);
    if (error instanceof ProofNeeded) return asksForProof(pageRequest, problem);
    const again = await page.show(pageRequest, problem);
    return "to" in again ? again : { shown: { ...again, status: problem.status }, problem };
  }
}

/** Checks the person's proof first if the form comes from the confirmation page. */
async function confirmed(
  deps: DashboardDeps,
  request: FastifyRequest,
  asked: PageRequest,
  form: URLSearchParams,
): Promise<PageRequest> {
  if (!isConfirmation(form)) return asked;
  await asked.call(confirmPerson, {
    password: form.get("password") ?? "",
    second_factor: form.get("second_factor") ?? "",
  });
  forgetVisitor(request);
  return pageRequestOf(deps, request, await visitorOf(deps, request));
}

async function asksForProof({ person, ...asked }: PageRequest, problem: RefusedForm): Promise<FormOutcome> {
  if (!isSignedIn(person)) throw new Refusal("unauthorized", problem.message);
  const shown = await confirmPage({ ...asked, person }, problem);
  return {
    shown: { ...shown, status: problem.status },
    problem: isConfirmation(problem.form) ? problem : null,
  };
}

interface RefusedForm extends FormProblem {
  readonly status: number;
}

/** Throws a 404 or a server error: the page may not have the form then. */
async function problemOf(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  action: string,
  form: URLSearchParams,
): Promise<RefusedForm> {
  const refusal = asRefusal(error, deps.app, request.id);
  await chargeSender(deps, request, refusal);
  if (refusal.status === 404 || refusal.status >= 500) throw refusal;
  if (refusal.retryAfterSeconds !== null) reply.header("retry-after", refusal.retryAfterSeconds);
  const { field } = refusal.details;
  return {
    action,
    message: refusal.message,
    field: typeof field === "string" ? field : null,
    form,
    status: refusal.status,
  };
}
