import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressSealer } from "../../../src/app/access/message-sender.ts";
import { cursorSeal } from "../../../src/contract/endpoint/cursor.ts";

const secret = "the first secret of this test";
const kept = addressSealer([secret]);
const binding = "account 1, email";
const address = "owner@tests.example";

describe("what is kept of an address", () => {
  it("[OUR-DLV-01] opens for what it belongs to, whole and in any script", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, belongs) => {
        expect(kept.open(kept.seal(text, belongs), belongs)).toBe(text);
      }),
    );
  });

  it("[OUR-DLV-01] opens for nothing else, and no two are alike", () => {
    const sealed = Array.from({ length: 1000 }, () => kept.seal(address, binding));
    expect(new Set(sealed).size).toBe(1000);
    expect(new Set(sealed.map((each) => each.slice(0, 16))).size).toBe(1000);
    const [one = ""] = sealed;
    expect(one).toMatch(/^[\w-]+$/);
    for (const other of ["", "account 1, chat", "account 2, email", "account 1, email "])
      expect(kept.open(one, other)).toBeNull();
    expect(addressSealer(["another secret"]).open(one, binding)).toBeNull();
  });

  it("[OUR-DLV-01] opens with no letter changed, left out or added", () => {
    const sealed = kept.seal(address, binding);
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_ =\n";
    let tried = 0;
    for (let at = 0; at < sealed.length; at += 1) {
      const variants = [...letters].map((letter) => sealed.slice(0, at) + letter + sealed.slice(at + 1));
      for (const changed of [
        ...variants,
        sealed.slice(0, at),
        sealed.slice(at),
        `${sealed}A`,
        ` ${sealed}`,
      ]) {
        if (changed === sealed) continue;
        tried += 1;
        expect(kept.open(changed, binding)).toBeNull();
      }
    }
    console.log(`vault: ${tried} changed seals, opened: 0`);
  });

  it("[OUR-DLV-01] is nothing a cursor's seal can open, nor the other way round", () => {
    const cursors = cursorSeal([secret]);
    expect(cursors.open(kept.seal("[1]", binding), binding)).toBeNull();
    expect(kept.open(cursors.seal([1, "1"], binding), binding)).toBeNull();
  });

  it("[OUR-DLV-02] a new secret seals, and the old one opens as long as it is told", () => {
    const old = kept.seal(address, binding);
    const rotated = addressSealer(["the second secret", secret]);
    expect(rotated.open(old, binding)).toBe(address);
    const renewed = rotated.seal(address, binding);
    expect(kept.open(renewed, binding)).toBeNull();
    expect(addressSealer(["the second secret"]).open(renewed, binding)).toBe(address);
    expect(addressSealer(["the second secret"]).open(old, binding)).toBeNull();
    expect(() => addressSealer([])).toThrow("takes a secret");
  });
});
