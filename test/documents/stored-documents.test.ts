import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { memoryReadingVersion } from "../../src/core/memory-report/reading-version.ts";
import { profileReadingVersion } from "../../src/core/profile/reading-version.ts";
import {
  compareMemoryUploads,
  memoryDiagnosis,
  readMemoryReport,
} from "../../src/documents/memory-reports.ts";
import { pack } from "../../src/documents/packed.ts";
import { profileOfOwner, profileReadings, readProfile } from "../../src/documents/profiles.ts";
import { memoryPayload, profilePayload, uploadOf } from "../support/captures.ts";
import { largeProfile } from "../support/large-documents.ts";
import { newMemoryReport } from "../store/profile/profile-rows.ts";

/** What a hand in the database, a broken disk or another version may have left in the place of a document. */
const damaged = (whole: Uint8Array, other: unknown): Uint8Array[] => [
  new Uint8Array(),
  Buffer.from("JAVA PROFILE 1.0.2"),
  whole.subarray(0, whole.length - 12),
  whole.map((byte, index) => (index === 20 ? byte ^ 0xff : byte)),
  pack(other),
];

const profile = profilePayload({ local_id: "one" });
const report = memoryPayload({ local_id: "one" });

it("[OUR-STO-48] a stored document that is damaged, or of another version, is one that cannot be read", () => {
  const { document } = readProfile(uploadOf("profile", profile));
  expect(profileReadings(document)).not.toBeNull();
  for (const bytes of damaged(document, { ...profile, schema: "service-profile/9" })) {
    expect(profileReadings(bytes)).toBeNull();
    expect(profileOfOwner({ document: bytes, owner: "shop" })).toBeNull();
  }
  const heap = readMemoryReport(uploadOf("memory_report", report));
  expect(memoryDiagnosis(heap.document)).not.toBeNull();
  const record = { ...newMemoryReport({ id: "s" }), serverName: null };
  for (const bytes of damaged(heap.document, { ...report, mode: "tomorrow" })) {
    expect(memoryDiagnosis(bytes)).toBeNull();
    const sides = [
      { record: { ...record, id: "a" }, document: bytes },
      { record: { ...record, id: "b" }, document: heap.document },
    ] as const;
    const { comparability } = compareMemoryUploads({ sides, baseUrl: "https://tickmark.example" });
    expect(comparability.issues.map(({ code }) => code)).toContain("document-missing");
  }
});

const digestOf = (...packed: readonly Uint8Array[]): string => {
  const hash = createHash("sha256");
  for (const bytes of packed) hash.update(gunzipSync(bytes));
  return hash.digest("hex").slice(0, 16);
};

it("[OUR-RDG-04] whoever changes what a reading says gives it another version, or stored ones would say the old", () => {
  const upload = uploadOf("profile", JSON.parse(gunzipSync(largeProfile(1, 3000, 500)).toString()));
  const { readings, document } = readProfile(upload);
  expect(profileReadings(document)?.packed).toEqual(readings);
  expect([profileReadingVersion, digestOf(readings.detail, readings.flameGraph)]).toMatchInlineSnapshot(`
    [
      2,
      "04d51dff14592da6",
    ]
  `);
  const heap = readMemoryReport(uploadOf("memory_report", report));
  expect(memoryDiagnosis(heap.document)?.packed).toEqual(heap.diagnosis);
  expect([memoryReadingVersion, digestOf(heap.diagnosis)]).toMatchInlineSnapshot(`
    [
      1,
      "12087bf78828ba13",
    ]
  `);
});

it("[OUR-RDG-05] a warning of more than 16 KiB is refused where it stands, one of 16 KiB is kept whole", () => {
  const warned = (length: number) =>
    uploadOf("profile", {
      ...profile,
      warnings: [{ code: "a" }, { code: "b", params: { text: "x".repeat(length) } }],
    });
  const [exact, brackets] = [16 * 1024, '{"text":""}'.length];
  const { document } = readProfile(warned(exact - brackets));
  expect(gunzipSync(document).length).toBeGreaterThan(exact);
  expect(() => readProfile(warned(exact - brackets + 1))).toThrow(
    "/warnings/1/params: takes an object of at most 16384 bytes of JSON.",
  );
});
