/*
 * What of the requirement sets does not apply to this server, and why. A scenario or a single check of one; the
 * test refuses an entry that passes after all.
 */

export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

const logs =
  "optional: the `logging` capability is not declared, since a stateless answer has nobody to log to";
const subscribes =
  "optional: `resources.subscribe` is not declared, since nothing is kept between two requests";
const samples = "the server has no sampling: it never borrows a client's model";
const roots = "the server has no roots: it never looks at a client's files";
const asks =
  "the server asks nothing back: every answer is complete, and no message goes to a client but answers and their progress";

export const notOurs: Readonly<Record<Revision, Readonly<Record<string, string>>>> = {
  "2025-11-25": {
    "logging-set-level": logs,
    "tools-call-with-logging": logs,
    "resources-subscribe": subscribes,
    "resources-unsubscribe": subscribes,
    "tools-call-sampling": samples,
    "tools-call-elicitation": asks,
    "elicitation-sep1034-defaults": asks,
    "elicitation-sep1330-enums": asks,
    "server-sse-multiple-streams": "a warning: there are no sessions, and the scenario looks for one first",
  },
  "2026-07-28": {
    "server-stateless:sep-2575-server-rejects-undeclared-capability": samples,
    "server-stateless:sep-2575-missing-capability-http-400": samples,
    "input-required-result-basic-sampling": samples,
    "input-required-result-basic-list-roots": roots,
    "input-required-result-basic-elicitation": asks,
    "input-required-result-request-state": asks,
    "input-required-result-multiple-input-requests": asks,
    "input-required-result-multi-round": asks,
    "input-required-result-missing-input-response": asks,
    "input-required-result-non-tool-request": asks,
    "input-required-result-result-type": asks,
    "input-required-result-tampered-state": asks,
    "input-required-result-capability-check": asks,
    "input-required-result-ignore-extra-params": asks,
  },
};
