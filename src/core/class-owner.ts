import { prefixTable } from "./class-prefix.ts";

/** Who owns a class that belongs to no plugin or mod. */
export type BuiltInOwner = "server" | "jvm" | "library" | "spark" | "other";

/** A plugin with one of these names counts as this owner. */
export const builtInOwners: ReadonlySet<string> = new Set<BuiltInOwner>([
  "server",
  "jvm",
  "library",
  "spark",
  "other",
]);

/** Prefixes of class names; the longest one counts. */
const prefixes: Readonly<Record<Exclude<BuiltInOwner, "other">, string>> = {
  // The game, server software, mod loaders, proxies, and independent implementations of servers.
  server: `
    net.minecraft com.mojang org.bukkit org.spigotmc io.papermc com.destroystokyo.paper ca.spottedleaf co.aikar.timings
    com.tuinity alternate.current gg.pufferfish net.pl3x.purpur org.purpurmc org.leavesmc org.dreeam org.galemc
    dev.kaiijumc me.earthme.luminol net.fabricmc org.quiltmc net.minecraftforge net.neoforged cpw.mods
    org.spongepowered.api org.spongepowered.common org.spongepowered.vanilla org.spongepowered.forge
    io.izzel.arclight com.mohistmc org.magmafoundation com.velocitypowered net.md_5.bungee net.minestom
    net.glowstone cn.nukkit org.cloudburstmc.server org.powernukkitx org.allaymc`,
  jvm: `
    java javax jdk sun com.sun com.oracle.svm org.ietf.jgss org.w3c.dom org.xml.sax netscape.javascript
    com.ibm.oti openj9 com.ibm.jit`,
  spark: `me.lucko.spark`,
  library: `
    io.netty com.google it.unimi.dsi org.apache org.slf4j ch.qos.logback org.joml org.yaml org.snakeyaml
    org.objectweb org.ow2 org.spongepowered.asm org.spongepowered.configurate com.llamalad7.mixinextras
    net.kyori net.md_5.specialsource com.github.benmanes.caffeine com.github.luben.zstd com.electronwill.nightconfig
    com.lmax.disruptor com.fasterxml com.alibaba org.json org.bson com.eclipsesource com.squareup com.moandjiezana
    com.zaxxer org.sqlite com.mysql org.mariadb org.postgresql org.h2 org.hsqldb org.jooq org.hibernate org.jdbi
    com.mongodb redis io.lettuce com.rabbitmq org.influxdb io.prometheus io.micrometer io.sentry io.opentelemetry
    kotlin kotlinx scala groovy org.codehaus clojure org.jetbrains org.intellij
    org.jline jline net.minecrell org.fusesource com.sun.jna oshi org.lwjgl org.lz4 net.jpountz org.xerial
    org.tukaani net.openhft org.agrona org.jctools org.roaringbitmap com.carrotsearch gnu.trove org.eclipse
    org.glassfish jakarta okhttp3 okio retrofit2 reactor io.reactivex rx org.reactivestreams io.grpc io.undertow
    io.vertx io.javalin org.asynchttpclient net.bytebuddy javassist net.sf.cglib org.reflections io.github.classgraph
    org.checkerframework org.bouncycastle com.nimbusds org.mozilla.javascript org.graalvm com.oracle.truffle org.luaj
    com.typesafe org.incendo.cloud cloud.commandframework io.leangen org.aopalliance javax.inject javax.annotation
    joptsimple com.ibm.icu org.ejml org.jgrapht one.profiler me.lucko.bytesocks me.lucko.bytebin`,
};

function* rows(): Generator<[string, BuiltInOwner]> {
  for (const owner of ["server", "jvm", "spark", "library"] as const) {
    for (const prefix of prefixes[owner].trim().split(/\s+/)) yield [prefix, owner];
  }
}

const ownerOf = prefixTable(rows());

const primitives = /^(?:[BCDFIJSZ]|byte|char|double|float|int|long|short|boolean)$/;

/**
 * The name is as profilers and heap histograms write it: `java.util.HashMap$Node`, `[[J`,
 * `[Ljava.lang.Object;`, `byte[]`, `net.minecraft.Util$$Lambda/0x7f00`. An array belongs to the owner of its
 * elements, an array of primitives to the JVM. Native code and plugins are `other`.
 */
export function builtInOwner(className: string): BuiltInOwner {
  const element = elementOf(className);
  if (element !== className && primitives.test(element)) return "jvm";
  return ownerOf(element) ?? "other";
}

/** The innermost element class of an array; any other name unchanged. */
function elementOf(className: string): string {
  if (className.endsWith("[]")) return className.slice(0, className.indexOf("["));
  let dimensions = 0;
  while (className.charCodeAt(dimensions) === 91) dimensions += 1;
  if (dimensions === 0) return className;
  const element = className.slice(dimensions);
  return element.startsWith("L") && element.endsWith(";") ? element.slice(1, -1) : element;
}
