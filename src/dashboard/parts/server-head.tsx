import { ServerTabs } from "./tabs.tsx";
import { Text } from "./value.tsx";

/** The top of a server's pages. */
export function ServerHead({ id, name }: { id: string; name: string | null }) {
  return (
    <>
      <h1>
        <Text value={name} none="Server without a name" />
      </h1>
      <ServerTabs id={id} />
    </>
  );
}
