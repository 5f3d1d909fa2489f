import { ServerTabs } from "./tabs.tsx";
import { Text } from "./value.tsx";

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
