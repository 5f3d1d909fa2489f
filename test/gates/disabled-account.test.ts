import { expect, it } from "vitest";
import { z } from "zod";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { agentEndpoints } from "../../src/endpoints/agent/registry.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { allActions } from "../support/actions.ts";
import { serviceJobs } from "../../src/jobs/jobs.ts";
import type { JobDeps } from "../../src/jobs/deps.ts";

// A new job, and a new route that asks for no token or session of an account, is looked at once: what does it do for an
// account that the operator disabled? What these lines say is tested in test/scenarios/disabled-account.test.ts and in
// the tests of the rules OUR-DIS.

const jobs: Readonly<Record<string, string>> = {
  sweep: "opens no alert, and ends those in progress as monitoring_off: site_step is off",
  maintenance: "goes on: it writes windows of the owner's schedule into the timeline, and sends nothing",
  health: "evaluates no server of it: site_step is off",
  "auto-bench": "starts no scheduled run; the next time of each schedule is kept up to date",
  regression: "judges runs that ended before; its message is held like every other",
  digest: "makes none",
  standing: "counts the published reports: they stay",
  seal: "goes on: it moves samples that are stored",
  retention: "goes on: data is kept as long as the plan says",
};

const publicRoutes: Readonly<Record<string, string>> = {
  "reports.list": "published reports stay",
  "reports.get": "published reports stay",
  "reports.diagnosis": "published reports stay",
  "reports.tuning": "published reports stay",
  "reports.compare": "published reports stay",
  "reports.before_after": "published reports stay",
  "unit_tests.list": "published tests stay",
  "unit_tests.get": "published tests stay",
  "offers.list": "certificates stay",
  "status_pages.find": "404, as for an unknown address",
  "status_pages.get_public": "not reached: the address is not found",
  "profile_links.find": "404, as for an unknown link",
  "profile_links.get_shared": "404, as for an unknown link",
  "sessions.sign_in": "refused, with the reason for who knows the password",
  "sessions.complete_sign_in": "refused",
  "sessions.get_second_step": "refused",
  "sessions.request_passkey": "names no account",
  "sessions.sign_in_with_passkey": "refused",
  "accounts.request_password_reset": "sends no mail",
  "accounts.reset_password": "a code that was mailed before replaces the password, and signs nobody in",
  "accounts.verify_email": "a code that was mailed before confirms the address",
  "accounts.check_code": "concerns codes alone",
  "second_factor.open": "a code that was mailed before opens the second factor, and signs nobody in",
  "accounts.needs_set_up": "concerns no account",
  "accounts.set_up": "concerns no account that is there",
  "accounts.sign_up": "concerns no account that is there",
  "accounts.get_ways_in": "concerns no account",
  "link_codes.request": "concerns no account",
  "link_codes.claim":
    "a code that the account used before gives its server a credential, from which nothing is taken",
  "heartbeat.send": "accepted: false, site_step: off",
  "samples.send": "accepted: false",
  "events.send": "accepted: false",
  "software.send": "accepted: false",
  "reports.upload": "409 invalid_state",
  "unit_tests.upload": "409 invalid_state",
  "profiles.upload": "409 invalid_state",
  "memory_reports.upload": "409 invalid_state",
  "agent_jobs.claim": "gets no run of it but the operator's own",
  "agent_jobs.heartbeat": "is told to stop",
  "agent_jobs.finish": "ends the run",
};

const asksForNoAccount = ({ access }: Endpoint): boolean =>
  access.face === "api" ? access.anonymous === true : true;

it("[OUR-DIS-03] what each job does for a disabled account is decided", () => {
  // Their names alone are read: no job is run.
  const names = serviceJobs({} as JobDeps).map(({ name }) => name);
  expect(Object.keys(jobs).toSorted()).toEqual(names.toSorted());
});

it("[OUR-DIS-01] [OUR-DIS-04] what each public route does with a disabled account is decided", async () => {
  const endpoints = [...apiEndpoints, ...pluginEndpoints, ...agentEndpoints].filter(asksForNoAccount);
  const open = [...(await allActions()).values()].filter(({ who }) => who === "anyone");
  const names = [...endpoints, ...open].map(({ id }) => id);
  expect(Object.keys(publicRoutes).toSorted()).toEqual(names.toSorted());
});

it("[OUR-DIS-01] each call of a server either says that it is not accepted, or is refused", () => {
  for (const { id, access, errors, output } of pluginEndpoints) {
    if (access.face !== "plugin" || access.credential !== "server") continue;
    if (access.saysAccepted === true)
      expect([id, output instanceof z.ZodObject && Object.keys(output.shape)]).toEqual([
        id,
        expect.arrayContaining(["accepted"]),
      ]);
    else expect([id, errors]).toEqual([id, expect.arrayContaining(["invalid_state"])]);
  }
});
