import { z } from "zod";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Sealer } from "./sealed.ts";

/** A browser is remembered for so long after its last sign-in, ms: as long as browsers keep a cookie. */
export const deviceMs = 400 * dayMs;

/** People share a browser with family or a second account of theirs, not with more. */
const mostAccounts = 5;

/** The longest cookie that is looked at; a full one takes a quarter of it, characters. */
const longestCookie = 4096;

const binding = "device";

const Remembered = z.object({
  id: z.string(),
  accounts: z.array(z.object({ id: z.string(), generation: z.int(), until: z.int() })),
});

/** An account, and the generation of the browsers that it remembers now. */
interface DeviceOwner {
  readonly accountId: string;
  readonly generation: number;
}

/**
 * The browsers in which people signed in before. What says so is sealed in a cookie of theirs; it proves nothing but
 * that, and is good for a window of password tries of their own.
 */
export interface Devices {
  /** The name of a browser in which that account signed in before, as long as it is remembered; else null. */
  nameOf(cookie: string | null, owner: DeviceOwner, now: Instant): string | null;
  /** The cookie of a browser in which that account has just signed in, in place of the one it had. */
  remember(cookie: string | null, owner: DeviceOwner, now: Instant): string;
}

export function devices(sealer: Sealer, { newNonce }: { readonly newNonce: () => string }): Devices {
  const read = (cookie: string | null): z.infer<typeof Remembered> | null => {
    const text = cookie === null || cookie.length > longestCookie ? null : sealer.open(cookie, binding);
    return text === null ? null : (Remembered.safeParse(JSON.parse(text)).data ?? null);
  };
  return {
    nameOf: (cookie, { accountId, generation }, now) => {
      const device = read(cookie);
      const known = device?.accounts.some(
        (one) => one.id === accountId && one.generation === generation && one.until > now,
      );
      return device && known ? device.id : null;
    },
    remember: (cookie, { accountId, generation }, now) => {
      const device = read(cookie) ?? { id: newNonce(), accounts: [] };
      const others = device.accounts.filter(({ id, until }) => id !== accountId && until > now);
      const own = { id: accountId, generation, until: now + deviceMs };
      const accounts = [own, ...others].slice(0, mostAccounts);
      return sealer.seal(JSON.stringify({ id: device.id, accounts }), binding);
    },
  };
}
