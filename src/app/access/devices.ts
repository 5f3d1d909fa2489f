import { z } from "zod";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Sealer } from "./sealed.ts";

/** A browser is remembered this long after its last sign-in, ms: as long as browsers keep a cookie. */
export const deviceMs = 400 * dayMs;

/** People share a browser with family or a second account of their own, not with more. */
const mostAccounts = 5;

/** The longest cookie that is read, characters; a full one has a quarter of it. */
const longestCookie = 4096;

const binding = "device";

const Remembered = z.object({
  id: z.string(),
  accounts: z.array(z.object({ id: z.string(), generation: z.int(), until: z.int() })),
});

/** Every increase of `generation` makes the account forget its browsers. */
interface DeviceOwner {
  readonly accountId: string;
  readonly generation: number;
}

/**
 * Recognises browsers by a sealed cookie. It proves nothing but an earlier sign-in, and gives a browser a
 * rate window of its own for passwords.
 */
export interface Devices {
  /** A name for a browser in which that account signed in before; null if it is unknown or forgotten. */
  nameOf(cookie: string | null, owner: DeviceOwner, now: Instant): string | null;
  /** The new cookie of a browser in which that account has just signed in. */
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
