import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatSecret,
  secretKind,
  secretPrefixes,
  type SecretKind,
} from "../../../src/core/access/secret.ts";
import { scopes, scopesOfRole, effectiveScopes } from "../../../src/core/access/scope.ts";

const kinds = Object.keys(secretPrefixes) as SecretKind[];
const anyKind = fc.constantFrom(...kinds);
const anyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("a secret", () => {
  it("[ACC-04] is its prefix, 43 characters of 256 random bits and a checksum of 6", () => {
    expect(formatSecret("api", new Uint8Array(32))).toMatch(/^tkm_0{43}[0-9A-Za-z]{6}$/);
    expect(formatSecret("server", new Uint8Array(32).fill(255))).toMatch(/^tks_[0-9A-Za-z]{49}$/);
  });

  it("[ACC-04] is recognised by kind", () => {
    fc.assert(
      fc.property(anyKind, anyBytes, (kind, bytes) => secretKind(formatSecret(kind, bytes)) === kind),
    );
  });

  it("[OUR-ACC-01] with one character mistyped is refused without a look-up", () => {
    fc.assert(
      fc.property(
        anyKind,
        anyBytes,
        fc.integer({ min: 4, max: 52 }),
        fc.constantFrom(..."0Aaz9"),
        (kind, bytes, place, character) => {
          const secret = formatSecret(kind, bytes);
          fc.pre(secret[place] !== character);
          return secretKind(secret.slice(0, place) + character + secret.slice(place + 1)) === null;
        },
      ),
    );
  });

  it("[ACC-04] differs for different bits", () => {
    fc.assert(
      fc.property(
        anyBytes,
        anyBytes,
        (a, b) => Buffer.compare(a, b) === 0 || formatSecret("api", a) !== formatSecret("api", b),
      ),
    );
  });
});

describe("scopes", () => {
  it("[ACC-13] are eleven, and a user and an admin may hold them all", () => {
    expect(scopes).toHaveLength(11);
    expect(scopesOfRole("user")).toEqual(scopes);
    expect(scopesOfRole("admin")).toEqual(scopes);
  });

  it("[ACC-09] of a suspended account are none", () => {
    expect(scopesOfRole("suspended")).toEqual([]);
    expect(effectiveScopes(scopes, "suspended")).toEqual([]);
    expect(effectiveScopes(["servers:read"], "user")).toEqual(["servers:read"]);
  });
});
