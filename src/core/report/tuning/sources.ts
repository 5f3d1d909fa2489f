export const sources = {
  aikarsFlags: "https://docs.papermc.io/paper/aikars-flags",
  paperGlobal: "https://docs.papermc.io/paper/reference/global-configuration",
  paperWorld: "https://docs.papermc.io/paper/reference/world-configuration",
  spigot: "https://docs.papermc.io/paper/reference/spigot-configuration",
  bukkit: "https://docs.papermc.io/paper/reference/bukkit-configuration",
  serverProperties: "https://docs.papermc.io/paper/reference/server-properties",
  minecraftOptimization: "https://github.com/YouHaveTrouble/minecraft-optimization",
  cpuSteal: "https://scoutapm.com/blog/understanding-cpu-steal-time-when-should-you-be-worried",
  heapSize: "https://www.ibm.com/docs/en/sdk-java-technology/8?topic=sizing-initial-maximum-heap-sizes",
  containerMemory: "https://docs.kernel.org/admin-guide/cgroup-v2.html",
  generationalZgc: "https://openjdk.org/jeps/439",
} as const;
