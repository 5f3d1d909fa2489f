import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressBinding, addressSealer } from "../../src/app/access/message-sender.ts";
import { hashPassword } from "../../src/app/access/passwords.ts";
import { factorBinding, factorSealer, newRecoveryCodes } from "../../src/app/access/factor-secrets.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { sealWebhookSecrets } from "../../src/app/access/webhook-secrets.ts";
import type { Account } from "../../src/core/access/account.ts";
import { takeSecondFactorOff } from "../../src/services/access/switch-second-factor.ts";
import { defaultSettings } from "../../src/core/notice/records.ts";
import { replacePassword } from "../../src/services/access/replace-password.ts";
import { insertSecondFactor, replaceRecoveryCodes } from "../../src/store/access/second-factors.ts";
import { saveSettings } from "../../src/store/notice/notification-settings.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { signedIn, visitor } from "../support/visitor.ts";

/** Another secret sealed what these accounts keep: their service was started with --accept-new-secret. */
const lost = ["a secret that nobody has any more"];
const password = "correct horse battery";
let service: TestService;
let owner: Account;
const { codes, digests } = newRecoveryCodes(systemSecrets());

beforeAll(async () => {
  service = await startTestService({ timers: false });
  owner = await service.account("pro");
  const { db } = service.app;
  const { id } = owner;
  const addresses = addressSealer(lost);
  const now = Date.now();
  await db.write(replacePassword, id, await hashPassword(password), null);
  await db.write(
    saveSettings,
    id,
    {
      ...defaultSettings,
      sealedEmail: addresses.seal("alerts@tests.example", addressBinding(id, "email")),
      emailVerifiedAt: now,
      sealedChat: addresses.seal("https://chat.example/hook", addressBinding(id, "chat")),
      sealedWebhook: addresses.seal("https://hooks.example/", addressBinding(id, "webhook")),
      sealedWebhookSecrets: sealWebhookSecrets(addresses, id, [{ secret: "whsec_AAAA", until: null }]),
    },
    now,
  );
});
afterAll(async () => {
  await service.close();
});

describe("what no secret of the service opens", () => {
  it("[OUR-KEY-07] is unreadable on each channel, over every interface that shows a delivery", async () => {
    const server = await service.server(owner);
    const token = await service.token(owner);
    const rule = await service.request("POST", `/api/v1/servers/${server.id}/alert-rules`, {
      token,
      body: {
        name: "Low TPS",
        metric: "tps",
        condition: "below",
        threshold: 18,
        notify_email: true,
        notify_chat: true,
        notify_in_app: true,
      },
    });
    expect(rule.status).toBe(201);
    const path = `/api/v1/alert-rules/${String(rule.json["id"])}/test`;
    const { json } = await service.request("POST", path, { token });
    const unreadable = { status: "failed", reason: "unreadable" };
    expect(json["delivery"]).toMatchObject({
      email: unreadable,
      chat: unreadable,
      in_app: { status: "sent" },
    });
    const browser = await signedIn(service, owner);
    for (const channel of ["email", "chat", "webhook"])
      expect((await browser.send("/settings/notifications", "test", { channel })).text).toContain(
        "the service cannot decrypt the stored address, because its secret was changed",
      );
  });

  it("[OUR-KEY-07] is said where its owner set it", async () => {
    const { text } = await (await signedIn(service, owner)).get("/settings/notifications");
    expect(text.match(/an address that cannot be decrypted: set it again/g)).toHaveLength(3);
  });

  it("[OUR-KEY-07] a code of a second factor that cannot be read is not called wrong, and a recovery code signs in", async () => {
    const { db } = service.app;
    const sealedSecret = factorSealer(lost).seal("JBSWY3DPEHPK3PXP", factorBinding(owner.id));
    await db.write(insertSecondFactor, {
      accountId: owner.id,
      sealedSecret,
      lastStep: 0,
      enabledAt: Date.now(),
    });
    await db.write(replaceRecoveryCodes, owner.id, digests);
    const browser = visitor(service);
    const step = await browser.send("/sign-in", "sign_in", { email: owner.email, password, to: "" });
    const type = (second_factor: string, page: string) =>
      browser.send("/sign-in", "second_factor", {
        password_step: /name="password_step" value="([^"]*)"/.exec(page)?.[1] ?? "",
        to: "",
        second_factor,
      });
    const refused = await type("123456", step.text);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain(
      "The service cannot check codes of this account, because its secret was changed",
    );
    expect((await type(codes[0] ?? "", refused.text)).status).toBe(303);
    const page = await browser.get("/settings/security/second-factor");
    expect(page.text).toContain("The service cannot check codes any more");
    expect(await db.write(takeSecondFactorOff, owner.id)).toBe(true);
  });

  it("[OUR-KEY-05] [OUR-KEY-07] the operator reads their number on /admin and in its log", async () => {
    const admin = await service.account("enterprise", "admin");
    const { db } = service.app;
    const { sealedPerAccount, fillSealed } = await import("../support/sealed-values.ts");
    await fillSealed(db, lost[0] ?? "", 1);
    const { selectSecretCheck, putSecretCheck } = await import("../../src/store/access/secret-check.ts");
    const check = await db.read(selectSecretCheck);
    if (check) await db.write(putSecretCheck, { ...check, countedAt: 0 });
    await service.service.work.run();
    const { text } = await (await signedIn(service, admin)).get("/admin");
    const words = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect(words).toContain(`Values that cannot be read ${sealedPerAccount + 4}`);
    expect(words).toContain("Values that need the earlier secret 0");
    expect(words).toContain(
      `${sealedPerAccount + 4} sealed values cannot be read with the secret of the service`,
    );
  });
});
