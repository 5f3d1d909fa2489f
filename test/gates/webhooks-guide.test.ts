import { expect, it, vi } from "vitest";
import { Webhook } from "standardwebhooks";
import { postedAlert } from "../../src/core/alert/posted-alert.ts";
import { openedMessage } from "../../src/core/alert/message.ts";
import { webhookEvent, webhookTypes } from "../../src/core/notice/webhook-event.ts";
import { oldSecretMs } from "../../src/core/notice/webhook-secrets.ts";
import { retryForMs } from "../../src/core/notice/retry.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { signedHeaders } from "../../src/outbound/signed-event.ts";
import { alertOf } from "../core/alert/alert-record.ts";
import { read } from "./sources.ts";

const guide = read("resources/guides/webhooks.md");
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? "";

const opened = Date.UTC(2026, 10, 20, 7, 25);
const exampleRecord = alertOf({
  id: "019a9f5e-1d00-7000-8000-000000000061",
  ruleId: "019a9f5e-1d00-7000-8000-000000000060",
  worstValue: 14.2,
  pendingSince: opened - 5 * 60_000,
  openedAt: opened,
});

it("[OUR-WHK-09] the guide's event is what the service posts", () => {
  const message = openedMessage(exampleRecord);
  const event = webhookEvent({
    id: "1",
    purpose: "opened",
    message: { ...message, link: `https://tickmark.example${message.link}` },
    postedAlert: postedAlert(exampleRecord),
    queuedAt: exampleRecord.openedAt,
    now: exampleRecord.openedAt,
  });
  expect(JSON.stringify(JSON.parse(blockOf("json")))).toBe(JSON.stringify(event));
});

it("[OUR-WHK-09] the guide names every type, and the hours of the code", () => {
  const named = [...guide.matchAll(/^- \*\*([\w.]+)\*\*:/gm)].map(([, type]) => type);
  expect(named).toEqual(Object.values(webhookTypes));
  expect([oldSecretMs, retryForMs]).toEqual([86_400_000, 86_400_000]);
  expect(guide.match(/\b24 hours\b/g)).toHaveLength(2);
});

it("[OUR-WHK-09] the guide's receiver accepts what the independent package accepts, and nothing else", async () => {
  const module = `data:text/javascript,${encodeURIComponent(blockOf("js"))}`;
  const { isSigned } = (await import(/* @vite-ignore */ module)) as {
    isSigned: (secret: string, headers: Record<string, string>, body: string) => boolean;
  };
  const [secret, other] = [systemSecrets().newWebhookSecret(), systemSecrets().newWebhookSecret()];
  const [now, body] = [Date.now(), JSON.stringify({ type: "test", text: "é 💾" })];
  const headers = signedHeaders([other, secret], "id-1", body, now);
  const cases: readonly [secret: string, headers: Record<string, string>, body: string][] = [
    [secret, headers, body],
    [other, headers, body],
    [systemSecrets().newWebhookSecret(), headers, body],
    [secret, headers, `${body} `],
    [secret, { ...headers, "webhook-id": "id-2" }, body],
    [secret, { ...headers, "webhook-timestamp": "soon" }, body],
    [secret, signedHeaders([secret], "id-1", body, now - 301_000), body],
    [secret, { ...headers, "webhook-signature": "v1," }, body],
  ];
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    const ours = cases.map((each) => isSigned(...each));
    const theirs = cases.map(([by, given, text]) => {
      try {
        new Webhook(by).verify(text, given);
        return true;
      } catch {
        return false;
      }
    });
    expect(ours).toEqual(theirs);
    expect(ours).toEqual([true, true, false, false, false, false, false, false]);
  } finally {
    vi.useRealTimers();
  }
});
