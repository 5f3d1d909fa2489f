import { afterEach, expect, it } from "vitest";
import { documentReader } from "../../src/documents/reader.ts";
import { threadLimits, workerThreads, type ThreadLimits } from "../../src/documents/worker-threads.ts";
import type { Executor } from "../../src/documents/executor.ts";
import { runTask } from "../../src/documents/tasks.ts";
import { profilePayload, uploadOf } from "../support/captures.ts";
import { largeProfile } from "../support/large-documents.ts";

// Threads run built files; `npm test` builds first.
let opened: Executor[] = [];
afterEach(async () => {
  await Promise.all(opened.map((executor) => executor.close()));
  opened = [];
});

function threads(limits: Partial<ThreadLimits> = {}) {
  const executor = workerThreads({ ...threadLimits, count: 1, ...limits });
  opened.push(executor);
  return documentReader(executor);
}

/** A document of some megabytes as it is sent; each call makes its bytes anew, which are gone once they are read. */
const large = () => ({
  sent: { bytes: new Uint8Array(largeProfile(1, 5000)), type: "application/json", gzipped: true },
  field: "profile",
  pointers: true,
});

it("a thread reads what this thread would, and refuses in the same words", async () => {
  const read = threads({ count: 2 });
  const here = runTask({ name: "readProfile", input: large() });
  const there = await Promise.all(["a", "b", "a"].map((account) => read(account, "readProfile", large())));
  for (const profile of there) expect(profile).toEqual(toPlain(here));
  const wrong = uploadOf("profile", profilePayload({ nodes: [{ parent: 3, frame: 0, samples: 1 }] }));
  await expect(read("a", "readProfile", wrong)).rejects.toMatchObject({
    name: "Refusal",
    code: "validation_error",
    message: "/nodes/0/parent: takes the index of an earlier node, or -1.",
    details: { field: "nodes", path: "/nodes/0/parent" },
  });
  const dump = { bytes: Buffer.from("JAVA PROFILE 1.0.2\0"), type: "text/x-java-class-histogram" };
  const upload = { sent: { ...dump, gzipped: false }, field: "memory_report", pointers: true };
  await expect(read("a", "readMemoryReport", upload)).rejects.toMatchObject({
    code: "unsupported_media_type",
  });
});

/** As it comes out of a thread: Buffers are arrays of bytes there. */
const toPlain = <T>(value: T): T => structuredClone(value);

it("[OUR-RDG-02] what takes too long is given up, and the next document is read in a new thread", async () => {
  const read = threads({ timeMs: 1 });
  const busy = { code: "unavailable", retryAfterSeconds: 30 };
  await expect(read("a", "readProfile", large())).rejects.toMatchObject(busy);
  await expect(read("a", "profileReadings", new Uint8Array())).rejects.toMatchObject(busy);
  expect(await threads()("a", "profileReadings", new Uint8Array())).toBeNull();
});

it("[OUR-RDG-02] an upload that takes more memory than a thread has is too large, and the process goes on", async () => {
  const read = threads({ heapMib: 24 });
  const huge = uploadOf("profile", profilePayload({ frames: Array.from({ length: 400_000 }, () => ({})) }));
  await expect(read("a", "readProfile", huge)).rejects.toMatchObject({ code: "too_large" });
  const { summary } = await read("a", "readProfile", uploadOf("profile", profilePayload()));
  expect(summary.owners.length).toBeGreaterThan(0);
});

it("a thread without work is ended, and another one started when there is some", async () => {
  const read = threads({ idleMs: 1 });
  for (let round = 0; round < 3; round += 1) {
    const { localId } = await read("a", "readProfile", uploadOf("profile", profilePayload()));
    expect(localId).toMatch(/^profile-/);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
