import { expect, it } from "vitest";
import { hashPassword, passwords } from "../../../src/app/access/passwords.ts";
import { Refusal } from "../../../src/core/errors.ts";

it("[OUR-SES-07] keeps a password as Argon2id of 19 MiB and two passes, salted", async () => {
  const [one, other] = await Promise.all([hashPassword("same password"), hashPassword("same password")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
});

it("[OUR-SES-07] knows a password however a keyboard composes its letters, and no other", async () => {
  const { hash, matches } = passwords();
  const kept = await hash("Zo\u00eb's password");
  expect(await matches("Zoe\u0308's password", kept)).toBe(true);
  expect(await matches("Zoe's password", kept)).toBe(false);
  expect(await matches("anything", null)).toBe(false);
});

it("[OUR-SES-07] works on two at a time, and refuses a flood before it fills memory", async () => {
  const { hash } = passwords();
  const asked = Array.from({ length: 60 }, () => hash("flood of passwords"));
  const ended = await Promise.allSettled(asked);
  const refused = ended.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(60 - 42);
  for (const each of refused)
    expect(each.status === "rejected" && each.reason).toMatchObject({ code: "rate_limited" });
  expect(refused.every((each) => each.status === "rejected" && each.reason instanceof Refusal)).toBe(true);
  expect(await hash("after the flood")).toContain("argon2id");
});
