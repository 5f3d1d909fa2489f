// The client of refused-cost.test.ts, in a thread of its own, so that its processor time can be told from the service's.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { parentPort } from "node:worker_threads";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Processor time of this thread, ms, where the system tells it (proc(5), schedstat). */
const ownCpuMs = () => {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
};

parentPort.on("message", ({ port, method, path, headers, bytes }) => {
  const before = ownCpuMs();
  const outgoing = request({ host: "127.0.0.1", port, agent, method, path, headers }, (response) =>
    response.resume().on("end", () => {
      // The rest of a body that the service does not read any more is for nobody.
      if (response.headers.connection === "close") outgoing.destroy();
      parentPort.postMessage({ status: response.statusCode, cpuMs: ownCpuMs() - before }, []);
    }),
  );
  outgoing.on("error", (error) => parentPort.postMessage({ error: String(error) }, []));
  outgoing.end(bytes);
});
