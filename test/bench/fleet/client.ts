import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { Pool } from "undici";

/** One request of the simulated fleet. */
export interface FleetRequest {
  /** The name under which its times are shown. */
  readonly route: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** What became of the requests of one route. */
export interface RouteFigures {
  /** From the instant at which it was due to the end of its answer, µs. */
  readonly times: RecordableHistogram;
  answered: number;
  /** Answers that are no 2xx, by status; -1: no answer. */
  readonly failed: Map<number, number>;
}

/**
 * Sends requests in turn to some addresses, over so many kept connections together, and measures each from the instant
 * at which it was due.
 */
export class FleetClient {
  readonly #pools: readonly Pool[];
  #turn = 0;
  #routes = new Map<string, RouteFigures>();
  #inFlight = 0;
  #mostInFlight = 0;

  constructor(baseUrls: readonly string[], connections: number) {
    const each = Math.max(1, Math.floor(connections / baseUrls.length));
    this.#pools = baseUrls.map((baseUrl) => new Pool(baseUrl, { connections: each, pipelining: 1 }));
  }

  /** `accepted` is called once the whole of a 2xx was received. */
  send({ route, ...request }: FleetRequest, due: number, accepted?: () => void): void {
    const figures = this.#figuresOf(route);
    let status = -1;
    this.#inFlight += 1;
    this.#mostInFlight = Math.max(this.#mostInFlight, this.#inFlight);
    const end = (): void => {
      this.#inFlight -= 1;
      figures.times.record(
        Math.max(1, Math.round((performance.timeOrigin + performance.now() - due) * 1000)),
      );
      if (status >= 200 && status < 300) {
        figures.answered += 1;
        accepted?.();
      } else figures.failed.set(status, (figures.failed.get(status) ?? 0) + 1);
    };
    this.#turn = (this.#turn + 1) % this.#pools.length;
    this.#pools[this.#turn]?.dispatch(
      { ...request, body: request.body ?? null },
      {
        onRequestStart: () => {},
        onResponseStart: (_, code) => void (status = code),
        onResponseData: () => {},
        onResponseEnd: end,
        onResponseError: () => {
          status = -1;
          end();
        },
      },
    );
  }

  #figuresOf(route: string): RouteFigures {
    const known = this.#routes.get(route);
    if (known) return known;
    const made = { times: createHistogram(), answered: 0, failed: new Map() };
    this.#routes.set(route, made);
    return made;
  }

  /** What was measured since the last call; requests in progress count where they end. */
  take(): { readonly routes: ReadonlyMap<string, RouteFigures>; readonly mostInFlight: number } {
    const taken = { routes: this.#routes, mostInFlight: this.#mostInFlight };
    this.#routes = new Map();
    this.#mostInFlight = this.#inFlight;
    return taken;
  }

  /** Waits for what is in progress. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }
}
