import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config/config.ts";

const secret = { TICKMARK_SECRET: "0123456789abcdef" };
const read = (settings: Record<string, string>) => readConfig({ ...secret, ...settings });

describe("how mail is sent", () => {
  it("[OUR-CFG-02] not at all unless a mail server is told", () => {
    expect(read({}).smtpUrl).toBeNull();
    for (const url of [
      "smtp://127.0.0.1:1025",
      "smtps://user:p%40ss@mail.example:465/?name=tickmark.example",
    ])
      expect(read({ TICKMARK_SMTP_URL: url }).smtpUrl).toBe(url);
  });

  it("[OUR-CFG-02] from the address that is told, else from tickmark at the service's host", () => {
    const from = (settings: Record<string, string>) => read(settings).mailFrom;
    expect(from({ TICKMARK_MAIL_FROM: "a@b.example" })).toEqual({ name: "", address: "a@b.example" });
    expect(from({ TICKMARK_MAIL_FROM: "Our Servers <a@b.example>" })).toEqual({
      name: "Our Servers",
      address: "a@b.example",
    });
    for (const [baseUrl, host] of [
      ["https://tickmark.example:8443", "tickmark.example"],
      ["http://localhost:8080", "localhost"],
      ["http://10.0.0.1:8080", "localhost"],
      ["http://[::1]:8080", "localhost"],
    ] as const) {
      expect(from({ TICKMARK_BASE_URL: baseUrl })).toEqual({ name: "Tickmark", address: `tickmark@${host}` });
    }
    expect(from({})).toEqual({ name: "Tickmark", address: "tickmark@localhost" });
  });
});
