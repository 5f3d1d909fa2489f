import type { DocumentTasks } from "../contract/files/document-tasks.ts";
import { profileOfSpark } from "../core/import/spark-profile.ts";
import { profileComparisonOf as compare } from "../core/profile/compare.ts";
import { detailOf } from "../core/profile/detail.ts";
import { ProfileDocument, ProfileFileTrigger } from "../core/profile/document.ts";
import { flameGraphOf } from "../core/profile/flame-graph.ts";
import { flameTreeOf } from "../core/profile/flame-tree.ts";
import { importedSamples } from "../core/profile/measured.ts";
import type { ProfileReadings } from "../core/profile/records.ts";
import { storedProfile } from "../core/profile/stored-profile.ts";
import { summarise } from "../core/profile/summary.ts";
import { shownBytes } from "../core/text/shown-json.ts";
import { pack, unpack } from "./packed.ts";
import { readUpload, type DocumentForm } from "./read-upload.ts";

type Work<Name extends keyof DocumentTasks> = (
  input: DocumentTasks[Name]["input"],
) => DocumentTasks[Name]["output"];

/** The limit for a warning's parameters, bytes of JSON: the same as for the metadata of an event. */
const paramsBytes = 16 * 1024;

const Uploaded = ProfileDocument.superRefine(({ warnings }, context) => {
  const long = warnings.findIndex(({ params }) => shownBytes(params) > paramsBytes);
  if (long < 0) return;
  const message = `takes an object of at most ${paramsBytes} bytes of JSON.`;
  context.addIssue({ code: "custom", path: ["warnings", long, "params"], message });
});

const form: DocumentForm<ProfileDocument> = {
  schema: Uploaded,
  importers: {
    "application/x-spark-sampler": (bytes, digest, { trigger }) =>
      profileOfSpark(bytes, digest, ProfileFileTrigger.safeParse(trigger).data),
  },
};

const readingsOf = (document: ProfileDocument) => {
  const [detail, flameGraph] = [detailOf(document, null), flameGraphOf(document)];
  const packed: ProfileReadings = { detail: pack(detail), flameGraph: pack(flameGraph) };
  return { detail, flameGraph, packed };
};

export const readProfile: Work<"readProfile"> = (upload) => {
  const document = readUpload(upload, form);
  return {
    localId: document.local_id,
    pluginVersion: document.plugin_version,
    longestTickMs: document.lag?.longest_tick_ms ?? null,
    serviceVersion: document.platform.service_version,
    summary: summarise(document),
    measured: document.measured && {
      source: document.measured.source,
      samples: importedSamples(document.measured),
    },
    document: pack(document),
    readings: readingsOf(document).packed,
  };
};

export const profileReadings: Work<"profileReadings"> = (packed) => {
  const document = unpack(packed, storedProfile);
  return document && readingsOf(document);
};

export const profileOfOwner: Work<"profileOfOwner"> = ({ document: packed, owner }) => {
  const document = unpack(packed, storedProfile);
  return document && detailOf(document, owner);
};

export const flameTree: Work<"flameTree"> = (packed) => {
  const document = unpack(packed, storedProfile);
  return document && flameTreeOf(document);
};

export const compareProfileUploads: Work<"compareProfiles"> = ([one, other]) =>
  compare(
    { record: one.record, document: one.document && unpack(one.document, storedProfile) },
    { record: other.record, document: other.document && unpack(other.document, storedProfile) },
  );
