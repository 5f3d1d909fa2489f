/*
 * What of the requirement sets does not apply to this server, and why. A scenario or a single check of one; the
 * test refuses an entry that passes after all.
 */

export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

const samples = "the server has no sampling: it never borrows a client's model";
const roots = "the server has no roots: it never looks at a client's files";
const mixed = "the scenario wants questions of sampling and roots beside one to the person";
const samplingOnly =
  "the scenario's client can be asked for samples alone, and the server has no sampling: it asks such a client nothing";

export const notOurs: Readonly<Record<Revision, Readonly<Record<string, string>>>> = {
  "2025-11-25": { "tools-call-sampling": samples },
  "2026-07-28": {
    "server-stateless:sep-2575-server-rejects-undeclared-capability": samples,
    "server-stateless:sep-2575-missing-capability-http-400": samples,
    "input-required-result-basic-sampling": samples,
    "input-required-result-basic-list-roots": roots,
    "input-required-result-multiple-input-requests": mixed,
    "input-required-result-capability-check": samplingOnly,
  },
};
