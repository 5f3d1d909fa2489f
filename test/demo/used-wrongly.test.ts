import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { Demo, removeDirectories } from "./child.ts";

afterAll(removeDirectories);

describe("tickmark demo, used wrongly", () => {
  it("[OUR-DEM-15] says in one line what to do about a port in use or a directory that is none", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = String(typeof address === "object" && address ? address.port : 0);
    const taken = new Demo(["--port", port]);
    const [blocked, noDirectory, noPort] = await Promise.all([
      taken.ended,
      new Demo(["--data", import.meta.filename]).ended,
      new Demo(["--port", "65536"]).ended,
    ]);
    other.close();
    expect(blocked).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Port \d+ is in use\.[^\n]+\n$/),
    });
    expect(noDirectory).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^--data takes [^\n]+\n$/),
    });
    expect(noPort).toMatchObject({ status: 2, stdout: "" });
    expect(readdirSync(taken.temporary)).toEqual([]);
  });
});
