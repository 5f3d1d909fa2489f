import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/outbound/public-address.ts";
import { isPublic } from "./receiver.ts";
import { randomCases } from "../support/long.ts";

const ipv4 = fc.ipV4();
const hexOf = (address: string): string =>
  address
    .split(".")
    .map((octet) => Number(octet).toString(16).padStart(2, "0"))
    .join("")
    .replace(/^(.{4})/, "$1:");

describe("public addresses", () => {
  it.each([
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.0.23",
    "169.254.42.42",
    "169.254.169.254",
    "169.254.170.2",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:0:127.0.0.1",
    "::ffff:168.63.129.16",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::a83f:8110",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:42::42",
    "fd00:a9fe:a9fe::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
    "localhost",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "127.1",
    "",
  ])("[OUR-DLV-05] %j is none", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    "1.1.1.1",
    "93.184.215.14",
    "2606:4700:4700::1111",
    "2a00:1450:4001::200e",
    "::ffff:1.1.1.1",
    "64:ff9b::1.1.1.1",
  ])("[OUR-DLV-05] %j is one", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it("[OUR-DLV-05] agrees with the registries for any address, and treats an IPv4 alike wherever it stands", () => {
    fc.assert(
      fc.property(ipv4, fc.ipV6(), (short, long) => {
        expect(isPublicAddress(short)).toBe(isPublic(short));
        expect(isPublicAddress(`::ffff:${hexOf(short)}`)).toBe(isPublic(short));
        expect(isPublicAddress(`64:ff9b::${hexOf(short)}`)).toBe(isPublic(short));
        expect(isPublicAddress(`2002:${hexOf(short)}::1`)).toBe(false);
        expect(isPublicAddress(`2001:0:1:1:0:0:${hexOf(short)}`)).toBe(false);
        const carriesIpv4 = /^(?:::ffff:|64:ff9b::)/i.test(long);
        if (!carriesIpv4) expect(isPublicAddress(long)).toBe(isPublic(long));
      }),
      { numRuns: randomCases(5000) },
    );
  });
});
