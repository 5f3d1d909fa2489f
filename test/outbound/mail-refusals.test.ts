import { afterEach, expect, it } from "vitest";
import { notifier, type OpenNotifier } from "../../src/outbound/notifier.ts";
import { startMailServer } from "./mail-server.ts";
import { baseUrl, lag } from "./receiver.ts";

const mailFrom = { name: "Tickmark", address: "alerts@tickmark.example" };
const recipient = "owner@tests.example";
const opened: OpenNotifier[] = [];
const over = (smtpUrl: string): OpenNotifier => {
  const made = notifier({ smtpUrl, baseUrl, mailFrom });
  opened.push(made);
  return made;
};
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

it("[OUR-ALR-64] a mail is refused for good by a 5xx about the mail, whatever stage says it, and by no other answer", async () => {
  const saying = (responseCode: number) => Object.assign(new Error("No"), { responseCode });
  for (const [code, again] of [
    [550, "never"],
    [552, "never"],
    [421, "later"],
    [451, "later"],
    [530, "later"],
  ] as const) {
    const stages = await Promise.all([
      startMailServer({ onMailFrom: (_address, _session, done) => done(saying(code)) }),
      startMailServer({ onRcptTo: (_address, _session, done) => done(saying(code)) }),
      startMailServer({
        onData: (stream, _session, done) => void stream.resume().once("end", () => done(saying(code))),
      }),
    ]);
    for (const [stage, { url }] of stages.entries()) {
      // What is said of the sender is said of every mail: a 550 there is the operator's to put right.
      const expected = stage === 0 && code === 550 ? "later" : again;
      expect(await over(url).send("email", recipient, lag, "1"), `${code}`).toMatchObject({
        again: expected,
      });
    }
    for (const each of opened.splice(0)) each.close();
    await Promise.all(stages.map((each) => each.close()));
  }
  const closedServer = await startMailServer({ onConnect: (_session, done) => done(saying(554)) });
  expect(await over(closedServer.url).send("email", recipient, lag, "1")).toMatchObject({ again: "later" });
  for (const each of opened.splice(0)) each.close();
  await closedServer.close();
});
