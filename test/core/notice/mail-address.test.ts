import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isMailAddress, mailSender } from "../../../src/core/notice/mail-address.ts";
import { sharedData } from "../../support/shared-data.ts";
import { randomCases } from "../../support/long.ts";

const recorded = sharedData("web/email_isemail.json");
const Row = z.object({ address: z.string(), category: z.string(), diagnosis: z.string() });

/** The recorded set writes control characters as pictures of them. */
const withControls = (text: string): string =>
  text.replaceAll(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400));

/**
 * Accepted: what is valid, what is valid but was not found in the DNS, and a host name of one label (localhost).
 * Refused: every error, comments and folding white space, quoted local parts, address literals, what is deprecated
 * or too long, and a top level of digits.
 */
const accepted = new Set([
  "ISEMAIL_VALID",
  "ISEMAIL_DNSWARN_NO_MX_RECORD",
  "ISEMAIL_DNSWARN_NO_RECORD",
  "ISEMAIL_RFC5321_TLD",
]);

describe("mail addresses", () => {
  it.skipIf(recorded === null)("[OUR-DLV-03] judges the recorded addresses by their category", () => {
    const rows = z.array(Row).parse(JSON.parse(readFileSync(recorded ?? "", "utf8")));
    const wrong: string[] = [];
    let errorsAccepted = 0;
    let count = 0;
    for (const { address, category, diagnosis } of rows) {
      for (const text of new Set([address, withControls(address)])) {
        const isAccepted = isMailAddress(text);
        if (isAccepted) count += 1;
        if (isAccepted && category === "ISEMAIL_ERR") errorsAccepted += 1;
        if (isAccepted !== accepted.has(diagnosis)) wrong.push(`${diagnosis} ${text}`);
      }
    }
    console.log(
      `mail addresses: ${rows.length} recorded, ${count} accepted, errors accepted: ${errorsAccepted}, otherwise than by category: ${wrong.length}`,
    );
    expect(wrong).toEqual([]);
    expect(errorsAccepted).toBe(0);
    expect(rows.length).toBe(164);
  });

  it.each([
    "a@b.example",
    "owner+tickmark@mail.example",
    "o'neil@x-y.example",
    "root@localhost",
    "1@2.example",
  ])("[OUR-DLV-03] %j is one", (address) => {
    expect(isMailAddress(address)).toBe(true);
    expect(mailSender(address)).toEqual({ name: "", address });
    expect(mailSender(`Our Server: fast, small <${address}>`)).toEqual({
      name: "Our Server: fast, small",
      address,
    });
  });

  it.each([
    "a@b.example, c@d.example",
    "a@b.example;c@d.example",
    "a@b.example\r\nBcc: c@d.example",
    "a@b.example\n",
    "a\u2028@b.example",
    "a@b.example\u0000",
    "a@b.example>",
    "group:a@b.example;",
    "a@b@c.example",
    "ä@b.example",
    "a@bücher.example",
    "a@127.0.0.1",
    "a@[127.0.0.1]",
    "a @b.example",
    `${"a".repeat(65)}@b.example`,
    `a@${"b.".repeat(130)}example`,
  ])("[OUR-DLV-03] %j is none", (text) => {
    expect(isMailAddress(text)).toBe(false);
    expect(mailSender(text)).toBeNull();
  });

  it("[OUR-DLV-03] holds nothing that could end a line, a list or a bracket", () => {
    const piece = fc.constantFrom(..."a1.@-_+<>,;: \r\n\t\"'()[]\\\u2028é".split(""));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        if (isMailAddress(text)) expect(text).toMatch(/^[^\s<>,;:"()[\]\\@]+@[a-z0-9.-]+$/);
      }),
      { numRuns: randomCases(10_000) },
    );
    expect(isMailAddress("<a@b.example>")).toBe(false);
    for (const name of ["A <a@b.example> <c@d.example>", '"A" <a@b.example>', "A\n<a@b.example>", "A <>"])
      expect(mailSender(name)).toBeNull();
  });
});
