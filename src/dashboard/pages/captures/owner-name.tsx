import { Text } from "../../parts/value.tsx";

/** What is no plugin, in words. */
const builtIn: Readonly<Record<string, string>> = {
  server: "the game and its software",
  jvm: "the Java machine",
  library: "libraries",
  spark: "the profiler itself",
  other: "nobody that is known",
};

/** Whose code it is, and whether it is a plugin. */
export function OwnerName({ owner, plugin }: { owner: string; plugin: boolean }) {
  return (
    <>
      <Text value={owner} none="without a name" />{" "}
      <span class="quiet small">{plugin ? "plugin" : (builtIn[owner] ?? "not known as a plugin")}</span>
    </>
  );
}
