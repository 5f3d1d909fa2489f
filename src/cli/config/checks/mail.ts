import { randomUUID } from "node:crypto";
import { notifier } from "../../../outbound/notifier.ts";
import { note, ok, wrong, type ConfigCheck } from "../check.ts";
import { withoutPasswords } from "../without-passwords.ts";

/** Whether the mail server takes a mail of the service. Sends one only if there is an address for it. */
export const mailCheck: ConfigCheck = {
  name: "mail",
  run: async ({ config, mailTo }) => {
    const { smtpUrl } = config;
    if (smtpUrl === null)
      return mailTo === null
        ? [note("TICKMARK_SMTP_URL is not set: the service sends no mail.")]
        : [wrong("TICKMARK_SMTP_URL is not set: there is no mail server to send a test through.")];
    if (mailTo === null) return [note("No mail was sent. --mail-to ADDRESS sends a test.")];
    const server = withoutPasswords(smtpUrl);
    const sender = notifier({ ...config, baseUrl: () => config.baseUrl ?? "" });
    try {
      const result = await sender.send("email", mailTo, message, `config-check-${randomUUID()}`);
      if (result.status === "sent")
        return [ok(`${server} took a mail to ${mailTo}. See whether it arrives.`)];
      const why = result.status === "failed" ? result.detail : result.reason;
      return [
        wrong(`${server} took no mail to ${mailTo}: ${why}. Check TICKMARK_SMTP_URL and TICKMARK_MAIL_FROM.`),
      ];
    } finally {
      sender.close();
    }
  },
};

const message = {
  title: "Test mail of Tickmark",
  lines: ["This mail was sent by tickmark config check. Nothing needs to be done."],
  link: null,
  tone: "info" as const,
};
