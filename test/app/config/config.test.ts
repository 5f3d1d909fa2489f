import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config/config.ts";
import { ConfigError } from "../../../src/app/config/connector-config.ts";
import { openReplica } from "../../../src/store/engine/replica/replica.ts";

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

describe("a read replica", () => {
  const primary = { TICKMARK_DATABASE_URL: "postgres://me@primary.example/tickmark" };

  it("[OUR-STO-200] is none where nothing is set, else what is set", () => {
    expect(read(primary).databaseReadUrl).toBeNull();
    for (const url of ["postgres://me@replica.example/tickmark", "postgresql:///tickmark?host=/run/replica"])
      expect(read({ ...primary, TICKMARK_DATABASE_READ_URL: url }).databaseReadUrl).toBe(url);
  });

  it("[OUR-STO-200] is refused beside SQLite, for another kind of address and for a list of hosts, without its password", () => {
    const refusal = (settings: Record<string, string>): string => {
      try {
        read(settings);
      } catch (error) {
        if (error instanceof ConfigError) return error.message;
      }
      return "";
    };
    const url = "postgres://me:hidden@replica.example/tickmark";
    for (const [settings, why] of [
      [{ TICKMARK_DATABASE_READ_URL: url }, "SQLite has none"],
      [{ ...primary, TICKMARK_DATABASE_READ_URL: "sqlite:./x.db" }, 'not "sqlite:./x.db"'],
      [{ ...primary, TICKMARK_DATABASE_READ_URL: "mysql://me:hidden@x/y" }, "not this value"],
    ] as const) {
      const message = refusal(settings);
      expect(message).toMatch(/^TICKMARK_DATABASE_READ_URL takes /);
      expect(message).toContain(why);
      expect(message).not.toContain("hidden");
    }
    const list = "postgres://me:hidden@one.example,two.example/tickmark";
    const opening = (): unknown => openReplica(primary.TICKMARK_DATABASE_URL, list, () => {});
    expect(opening).toThrow("TICKMARK_DATABASE_READ_URL takes the address of one host, not a list");
    expect(opening).not.toThrow("hidden");
  });
});
