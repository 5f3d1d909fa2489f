import { Refusal } from "../../../../core/errors.ts";
import { browserZone, ClockHours, currentDisplay, listedZone, Theme, zones } from "../../../display.ts";
import { chosen, typed } from "../../../form-values.ts";
import { personPage } from "../../../page.ts";
import { Button, Choice, Form } from "../../../parts/form.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { SettingsTabs } from "../../../parts/tabs.tsx";
import { Time } from "../../../parts/value.tsx";

const path = "/settings/display";

const themeNames = { system: "As the system", light: "Light", dark: "Dark" } as const;
const clockNames = { "24": "14:05", "12": "2:05 pm" } as const;

/** How this browser shows pages: theme, time zone, clock. */
export const displayPage = personPage({
  path,

  async show({ query, now }, problem) {
    const { theme, zoneChoice, clock } = currentDisplay();
    return {
      title: "Display",
      body: (
        <>
          <h1>Settings</h1>
          <SettingsTabs />
          {query.get("after") === "saved" && problem === null && (
            <Notice means="good">This browser keeps the choice.</Notice>
          )}
          <Card title="Display">
            <p class="quiet">
              The choice belongs to this browser, not to the account. Numbers are written as the browser's
              language writes them. It is now <Time at={new Date(now).toISOString()} />.
            </p>
            <Form does="save-display">
              <Choice
                name="theme"
                label="Theme"
                options={Theme.options.map((name) => [name, themeNames[name]])}
                value={theme}
              />
              <Choice
                name="zone"
                label="Time zone"
                options={[[browserZone, "As the browser"], ...zones.map((zone) => [zone, zone] as const)]}
                value={zoneChoice}
              />
              <Choice
                name="clock"
                label="Clock"
                options={ClockHours.options.map((name) => [name, clockNames[name]])}
                value={clock}
              />
              <Button>Save</Button>
            </Form>
          </Card>
        </>
      ),
    };
  },

  actions: {
    async "save-display"({ form, setDisplay }) {
      const zoneChoice = typed(form, "zone") ?? browserZone;
      if (zoneChoice !== browserZone && !listedZone(zoneChoice))
        throw new Refusal("validation_error", "This time zone is not known. Choose one from the list.");
      setDisplay({
        theme: chosen(Theme, form, "theme") ?? "system",
        zoneChoice,
        clock: chosen(ClockHours, form, "clock") ?? "24",
      });
      return { to: `${path}?after=saved` };
    },
  },
});
