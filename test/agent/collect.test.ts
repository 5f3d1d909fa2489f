import { appendFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dayMs } from "../../src/core/time.ts";
import { sparkFolder } from "../../src/agent/collect/spark-folder.ts";
import { filesBelow, read } from "../gates/sources.ts";
import { machineTree, put } from "./machine-tree.ts";

const dated = (directory: string, path: string, ms: number) =>
  utimesSync(join(directory, path), ms / 1000, ms / 1000);

it("[OUR-AGH-14] spark's exports are handed out once, oldest first, when they are finished", async () => {
  const directory = machineTree({
    "plugins/spark/old.sparkprofile": "old",
    "plugins/spark/b.sparkprofile": "two",
    "plugins/spark/activity.json": "{}",
    "config/spark/a heap\u001b[31m.sparkheap": "one",
  });
  dated(directory, "plugins/spark/old.sparkprofile", 9000);
  dated(directory, "plugins/spark/b.sparkprofile", dayMs + 30_000);
  dated(directory, "config/spark/a heap\u001b[31m.sparkheap", dayMs + 20_000);
  const spark = sparkFolder({ directory }, dayMs + 10_000);
  expect(await spark.findNew(dayMs + 34_000)).toMatchObject({
    found: [{ kind: "memory report" }],
    tooLarge: [],
  });
  expect(await spark.findNew(dayMs + 35_000)).toEqual({
    found: [
      {
        kind: "profile",
        contentType: "application/x-spark-sampler",
        body: Buffer.from("two"),
        localName: "b.sparkprofile",
      },
    ],
    tooLarge: [],
  });
  expect(await spark.findNew(dayMs + 90_000)).toEqual({ found: [], tooLarge: [] });
  appendFileSync(join(directory, "plugins/spark/b.sparkprofile"), " more");
  dated(directory, "plugins/spark/b.sparkprofile", dayMs + 80_000);
  const { found } = await spark.findNew(dayMs + 90_000);
  expect(found).toMatchObject([{ body: Buffer.from("two more") }]);
  expect(await spark.findNew(dayMs + 90_000)).toEqual({ found: [], tooLarge: [] });
  for (const failed of found) spark.again(failed);
  expect((await spark.findNew(dayMs + 90_000)).found).toEqual(found);
  const named = await sparkFolder({ directory }, 0).findNew(dayMs + 90_000);
  expect(named.found.map(({ localName }) => localName)).toEqual([
    "old.sparkprofile",
    "a_heap__31m.sparkheap",
    "b.sparkprofile",
  ]);
});

it("[OUR-AGH-14] links, folders, empty files and larger ones than the service takes are no exports", async () => {
  const directory = machineTree({ secret: "password", "plugins/spark/folder.sparkprofile/x": "" });
  put(directory, "plugins/spark/empty.sparkprofile", "");
  symlinkSync(join(directory, "secret"), join(directory, "plugins/spark/link.sparkprofile"));
  writeFileSync(join(directory, "plugins/spark/huge.sparkheap"), Buffer.alloc(16 * 1024 * 1024 + 1));
  for (const name of ["empty.sparkprofile", "huge.sparkheap"])
    dated(directory, `plugins/spark/${name}`, 1000);
  const found = await sparkFolder({ directory }, 0).findNew(Date.now() + 60_000);
  expect(found).toEqual({ found: [], tooLarge: ["huge.sparkheap"] });
  expect(await sparkFolder({ directory: join(directory, "none") }, 0).findNew(0)).toEqual({
    found: [],
    tooLarge: [],
  });
});

it("[OUR-AGH-11] nothing of the agent can start a program", () => {
  const files = filesBelow(["src/agent"], ".ts");
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => read(file).includes("child_process"))).toEqual([]);
});
