import type { ComponentChildren } from "preact";
import { Empty } from "../../parts/state.tsx";
import { Words } from "../../parts/words.tsx";

export const HowToBenchmark = () => (
  <p>
    On the machine of a server that is linked with the agent, run <Words of="tickmark bench --upload" />. It
    takes about four minutes. With a plugin, run <code>/bench</code> in the console. Only you may open the
    report until you publish it.
  </p>
);

/** Above a form that chooses reports, if there are none. */
export const NoReports = ({ children }: { children: ComponentChildren }) => (
  <Empty
    title="No reports yet"
    next={
      <>
        <HowToBenchmark />
        <a href="/servers#link">Link a server</a>
      </>
    }
  >
    <p>{children}</p>
  </Empty>
);
