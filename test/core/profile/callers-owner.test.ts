import { describe, expect, it } from "vitest";
import { callTree } from "../../../src/core/profile/call-tree.ts";
import { categoriesOf, ownerShares } from "../../../src/core/profile/listed-shares.ts";
import { isMachineCode } from "../../../src/core/profile/machine-code.ts";
import { stacksDocument, tick, type Stacks } from "./any-profile.ts";

const own = (stacks: Stacks): Record<string, number> =>
  Object.fromEntries(ownerShares(callTree(stacksDocument(stacks))).map(({ owner, self }) => [owner, self]));
const kinds = (stacks: Stacks): Record<string, number> =>
  Object.fromEntries(
    categoriesOf(callTree(stacksDocument(stacks))).map(({ category, samples }) => [category, samples]),
  );

const wait = "net.minecraft.server.MinecraftServer.waitUntilNextTick";
const park = "java.util.concurrent.locks.LockSupport.parkNanos jdk.internal.misc.Unsafe.park";

describe("machine code", () => {
  it("[OUR-PRO-63] counts to the Java code that called it, and so does what it calls", () => {
    expect(
      own([
        [`${tick} Physics:net.physics.Native.step libphysics.so.step libc.so.6.malloc`, 7],
        [`${tick} java.util.Arrays.copyOf native.jbyte_disjoint_arraycopy`, 3],
        [`${tick} native.itable`, 2],
      ]),
    ).toEqual({ Physics: 7, jvm: 3, server: 2 });
  });

  it("[OUR-PRO-63] of one name belongs to each of its callers, with its own share of each", () => {
    const { methods, owners, byMethod } = callTree(
      stacksDocument([
        [`${tick} libc.so.6.malloc`, 2],
        ["Shop:net.example.Shop.run libc.so.6.malloc", 5],
      ]),
    );
    const rows = methods.map(({ name, owner }, index) => [name, owners[owner]?.name, byMethod.self[index]]);
    expect(rows.filter(([name]) => name === "libc.so.6.malloc")).toEqual([
      ["libc.so.6.malloc", "server", 2],
      ["libc.so.6.malloc", "Shop", 5],
    ]);
  });

  it("[OUR-PRO-63] without a caller is nobody's, with a reported owner that owner's", () => {
    expect(own([["libc.so.6.syscall", 4]])).toEqual({ other: 4 });
    expect(own([[`${tick} Shop:libshop.so.price`, 4]])).toEqual({ Shop: 4, server: 0 });
  });

  it("[OUR-PRO-63] has the kind of work of its caller", () => {
    expect(
      kinds([[`Shop:net.example.Shop.run java.util.zip.Inflater.inflate libzip.so.inflate`, 4]]),
    ).toEqual({ compression: 4 });
    expect(kinds([[`${tick} Shop:net.example.Shop.run native.stub`, 4]])).toEqual({ plugin: 4 });
  });

  it.each([
    ["native.[vdso]", true],
    ["libjvm.so.frame::sender", true],
    ["libc.so.6.__libc_calloc", true],
    ["sable_rapier_x86_64_linux.so.Java_dev_step", true],
    ["physics.dll.step", true],
    ["JavaThread::run", true],
    ["__clock_nanosleep", true],
    ["net.example.Shop.run", false],
    ["com.example.so.Shop.run", false],
    ["Main.run", false],
    ["net.example.Shop$$Lambda.run(java.lang.Object)", false],
  ])("[OUR-PRO-63] %s: %s", (frame, expected) => {
    expect(isMachineCode(frame)).toBe(expected);
  });
});

describe("a wait", () => {
  it("[OUR-PRO-64] of the server is the server's, of the kind waiting, whether the profiler sees machine code or not", () => {
    for (const stack of [
      `${wait} ${park}`,
      `${wait} ${park} native.pthread_cond_timedwait`,
      `${wait} ${park} libjvm.so.Unsafe_Park libc.so.6.pthread_cond_timedwait`,
      `${wait} java.lang.Thread.sleep java.lang.Thread.sleep0 __clock_nanosleep`,
    ]) {
      expect([stack, own([[stack, 9]])]).toEqual([stack, expect.objectContaining({ server: 9 })]);
      expect(kinds([[stack, 9]])).toEqual({ waiting: 9 });
    }
  });

  it("[OUR-PRO-64] counts to the nearest caller outside the JVM: a plugin that blocks a tick is named", () => {
    const join = "java.util.concurrent.CompletableFuture.join";
    expect(own([[`${tick} Shop:net.example.Shop.load ${join} ${park}`, 6]])).toEqual({
      Shop: 6,
      server: 0,
      jvm: 0,
    });
    expect(own([[`java.lang.Thread.run ${park}`, 6]])).toEqual({ jvm: 6 });
  });
});

describe("a lambda", () => {
  const lambda = (name: string): string => `${name}$$Lambda.0x00007f4fc8aa5690.run`;

  it("[OUR-PRO-67] without a reported owner belongs to the class it was given to", () => {
    expect(
      own([
        ["Shop:net.example.Shop.run", 1],
        [lambda("net.example.Shop"), 4],
        [lambda("net.example.Shop$Stock"), 2],
      ]),
    ).toEqual({ Shop: 7 });
  });

  it("[OUR-PRO-67] of a class that was never sampled belongs to its package, if that has one owner", () => {
    expect(
      own([
        ["Shop:net.example.shop.Prices.of", 1],
        [lambda("net.example.shop.Orders"), 4],
      ]),
    ).toEqual({ Shop: 5 });
    expect(
      own([
        ["Shop:net.example.shop.Prices.of", 1],
        ["Bank:net.example.shop.Money.of", 1],
        [lambda("net.example.shop.Orders"), 4],
      ]),
    ).toEqual({ other: 4, Bank: 1, Shop: 1 });
    // Two parts are a name that many share, and other code than lambdas is not guessed.
    expect(
      own([
        ["Shop:net.example.Prices.of", 1],
        [lambda("net.example.Orders"), 4],
      ]),
    ).toEqual({ other: 4, Shop: 1 });
    expect(
      own([
        ["Shop:net.example.shop.Prices.of", 1],
        ["net.example.shop.Orders.all", 4],
      ]),
    ).toEqual({ other: 4, Shop: 1 });
  });

  it("[OUR-PRO-67] of the game or the JVM stays theirs", () => {
    expect(
      own([
        ["Mixin:net.minecraft.world.Level.tick", 1],
        [lambda("net.minecraft.world.Chunk"), 4],
      ]),
    ).toEqual({ server: 4, Mixin: 1 });
  });
});
