import { describe, expect, it } from "vitest";
import { categoryOf } from "../../../src/core/profile/categories.ts";
import { Category } from "../../../src/core/profile/category.ts";
import { gameClasses } from "../../../src/core/profile/known-classes/game.ts";
import { javaClasses } from "../../../src/core/profile/known-classes/java.ts";

const rows = [...gameClasses, ...javaClasses];

describe("categoryOf", () => {
  it("[PRO-16] knows 28 kinds of work, in the documented order", () => {
    expect(Category.options.join(" ")).toBe(
      "tick-loop world-tick entities block-entities blocks explosions lighting world-gen chunks storage networking commands items plugin-api waiting concurrency memory jvm-runtime compression logging database serialization text collections web profiler plugin other",
    );
    const told = new Set(rows.map(([, kind]) => kind));
    const missing = Category.options.filter((category) => !told.has(category));
    expect(missing).toEqual(["plugin", "other"]);
  });

  it("[OUR-PRO-02] has each prefix once", () => {
    const prefixes = rows.map(([prefix]) => prefix);
    expect(prefixes.filter((prefix, index) => prefixes.indexOf(prefix) !== index)).toEqual([]);
    expect(prefixes.filter((prefix) => !/^\w+(\.\w+)*$/.test(prefix))).toEqual([]);
  });

  it.each([
    ["net.minecraft.server.MinecraftServer.tickServer", "tick-loop"],
    ["net.minecraft.server.MinecraftServer.waitUntilNextTick", "waiting"],
    ["net.minecraft.server.level.ServerLevel.tick", "world-tick"],
    ["net.minecraft.server.level.ServerLevel.tickNonPassenger", "entities"],
    ["net.minecraft.server.level.WorldServer.tick", "world-tick"],
    ["net.minecraft.world.entity.Mob.serverAiStep", "entities"],
    ["net.minecraft.world.entity.item.PrimedTnt.tick", "explosions"],
    ["net.minecraft.world.level.block.entity.HopperBlockEntity.pushItemsTick", "block-entities"],
    ["net.minecraft.world.level.chunk.LevelChunk$BoundTickingBlockEntity.tick", "block-entities"],
    ["net.minecraft.world.level.block.RedStoneWireBlock.neighborChanged", "blocks"],
    ["net.minecraft.world.level.chunk.LevelChunk.getBlockState", "chunks"],
    ["net.minecraft.world.level.chunk.storage.RegionFile.write", "storage"],
    ["net.minecraft.world.level.levelgen.NoiseBasedChunkGenerator.fillFromNoise", "world-gen"],
    ["net.minecraft.world.level.lighting.LevelLightEngine.runLightUpdates", "lighting"],
    ["net.minecraft.world.level.storage.loot.LootTable.fill", "items"],
    ["ca.spottedleaf.moonrise.patches.starlight.light.StarLightEngine.propagate", "lighting"],
    ["ca.spottedleaf.moonrise.patches.chunk_system.scheduling.ChunkTaskScheduler.run", "chunks"],
    ["net.minecraft.network.Connection.send", "networking"],
    ["net.minecraft.network.chat.Component.getString", "text"],
    ["net.minecraft.network.CompressionEncoder.encode", "compression"],
    ["net.minecraft.nbt.CompoundTag.write", "serialization"],
    ["com.mojang.brigadier.CommandDispatcher.execute", "commands"],
    ["org.bukkit.plugin.SimplePluginManager.callEvent", "plugin-api"],
    ["org.bukkit.craftbukkit.v1_20_R3.entity.CraftPlayer.getName", "entities"],
    ["org.bukkit.craftbukkit.entity.CraftPlayer.getName", "entities"],
    ["java.lang.Object.wait", "waiting"],
    ["java.lang.Thread.sleep", "waiting"],
    ["jdk.internal.misc.Unsafe.park", "waiting"],
    ["java.util.concurrent.locks.ReentrantLock.lock", "concurrency"],
    ["java.util.zip.Deflater.deflateBytesBytes", "compression"],
    ["java.util.HashMap$TreeNode.find", "collections"],
    ["java.util.regex.Pattern$Loop.match", "text"],
    ["java.lang.reflect.Field.get", "jvm-runtime"],
    ["java.nio.DirectByteBuffer.<init>", "memory"],
    ["org.sqlite.core.NativeDB.step", "database"],
    ["org.apache.logging.log4j.core.Logger.log", "logging"],
    ["com.google.gson.Gson.toJson", "serialization"],
    ["okhttp3.internal.http.RealInterceptorChain.proceed", "web"],
    ["me.lucko.spark.common.sampler.java.JavaSampler.run", "profiler"],
  ])("[PRO-16] [OUR-PRO-02] %s is %s", (frame, category) => {
    expect(categoryOf(frame)).toBe(category);
    expect(categoryOf(`${frame}(int, java.lang.String)`)).toBe(category);
  });

  it.each([
    "net.example.Shop.tick",
    "java.lang.Thread.run",
    "java.lang.Math.floor",
    "libc.so.6.malloc",
    "tick",
    "",
    "__proto__.x",
  ])("[OUR-PRO-02] knows nothing of %s", (frame) => {
    expect(categoryOf(frame)).toBeNull();
  });

  it.each([
    "java.util.ArrayList.forEach",
    "it.unimi.dsi.fastutil.objects.ReferenceArrayList.forEach",
    "java.util.HashMap.computeIfAbsent(Object, Function)",
    "java.util.stream.ReferencePipeline.collect",
    "java.util.concurrent.FutureTask.run",
    "java.util.concurrent.ThreadPoolExecutor$Worker.run",
    "java.lang.reflect.Method.invoke",
  ])("[OUR-PRO-02] %s says nothing of what it is given to run", (frame) => {
    expect(categoryOf(frame)).toBeNull();
  });
});
