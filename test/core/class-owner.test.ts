import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInOwner, builtInOwners } from "../../src/core/class-owner.ts";
import { anyCharacter } from "../support/any-character.ts";

describe("builtInOwner", () => {
  it.each([
    ["net.minecraft.server.MinecraftServer", "server"],
    ["com.mojang.brigadier.CommandDispatcher", "server"],
    ["org.bukkit.craftbukkit.v1_20_R3.CraftServer", "server"],
    ["io.papermc.paper.threadedregions.TickRegions", "server"],
    ["ca.spottedleaf.moonrise.patches.chunk_system.ChunkSystem", "server"],
    ["net.neoforged.bus.EventBus", "server"],
    ["net.minecraft.class_3218", "server"],
    ["java.util.HashMap$Node", "jvm"],
    ["jdk.internal.misc.Unsafe", "jvm"],
    ["sun.nio.ch.FileChannelImpl", "jvm"],
    ["javax.crypto.Cipher", "jvm"],
    ["com.sun.management.internal.Flag", "jvm"],
    ["com.sun.jna.Pointer", "library"],
    ["javax.inject.Provider", "library"],
    ["io.netty.channel.epoll.Native", "library"],
    ["it.unimi.dsi.fastutil.ints.IntOpenHashSet", "library"],
    ["com.google.common.collect.ImmutableList", "library"],
    ["org.spongepowered.asm.mixin.Mixins", "library"],
    ["me.lucko.spark.common.SparkPlatform", "spark"],
    ["me.lucko.luckperms.bukkit.LPBukkitPlugin", "other"],
    ["net.example.shop.Shop", "other"],
  ])("[OUR-PRO-01] %s belongs to %s", (className, owner) => {
    expect(builtInOwner(className)).toBe(owner);
    expect(builtInOwner(`${className}$$Lambda/0x00007f1c3c0a1b58`)).toBe(owner);
    expect(builtInOwner(`[L${className};`)).toBe(owner);
    expect(builtInOwner(`[[[L${className};`)).toBe(owner);
    expect(builtInOwner(`${className}[]`)).toBe(owner);
  });

  it.each([
    ["[B", "jvm"],
    ["[[J", "jvm"],
    ["byte[]", "jvm"],
    ["double[][]", "jvm"],
    ["java", "jvm"],
    ["javafoo.Bar", "other"],
    ["javax2.Bar", "other"],
    ["B", "other"],
    ["[Bx", "other"],
    ["[anon]", "other"],
    ["[vdso]", "other"],
    ["[", "other"],
    ["[]", "other"],
    ["native", "other"],
    ["libjvm.so", "other"],
    ["libc.so.6", "other"],
    ["", "other"],
    ["__proto__.constructor", "other"],
  ])("[OUR-PRO-01] %s belongs to %s, as it stands", (className, owner) => {
    expect(builtInOwner(className)).toBe(owner);
  });

  it("[OUR-PRO-01] any text belongs to one of five owners", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        expect(builtInOwners.has(builtInOwner(text))).toBe(true);
      }),
    );
    expect(builtInOwner(`${"[".repeat(100_000)}B`)).toBe("jvm");
    expect(builtInOwner("java.".repeat(100_000))).toBe("jvm");
  });
});
