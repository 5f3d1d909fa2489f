import type { WindowRule } from "../core/access/rate-window.ts";
import type { RateWindowStore } from "../core/access/store.ts";
import { minuteMs, type Instant } from "../core/time.ts";
import { secondsUntil } from "./windows.ts";

/** 30 refused secrets a minute from one address is guessing, not a mistake. */
const refusedPerMinute = 30;

/** Notes that an address presented a secret nobody knows: null, or the seconds it has to wait for the next try. */
export async function noteRefusedSecret(
  rates: RateWindowStore,
  address: string,
  now: Instant,
): Promise<number | null> {
  const rule: WindowRule = {
    kind: "address_bad_credential",
    key: address,
    lengthMs: minuteMs,
    limit: refusedPerMinute,
  };
  const { granted, states } = await rates.consume([rule], now);
  return granted ? null : secondsUntil(states[0]?.resetAt ?? now + minuteMs, now);
}

export const guessingMessage = "Too many refused credentials came from this address. Wait a minute.";
