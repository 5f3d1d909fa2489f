import { absence } from "../../words/glossary.ts";
import { Text } from "../../parts/value.tsx";

/** Owners that are not plugins. */
const builtIn: Readonly<Record<string, string>> = {
  server: "the game and its software",
  jvm: "the Java virtual machine",
  library: "libraries",
  spark: "the profiler itself",
  other: absence.unknown,
};

export function OwnerName({ owner, plugin }: { owner: string; plugin: boolean }) {
  return (
    <>
      <Text value={owner} none="without a name" />{" "}
      <span class="quiet small">{plugin ? "plugin" : (builtIn[owner] ?? "not known as a plugin")}</span>
    </>
  );
}
