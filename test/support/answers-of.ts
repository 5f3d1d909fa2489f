import type { Fleet } from "./fleet.ts";
import { roomyPlans, startTestService } from "./service.ts";

/** Calls whose answers have to be the same after a restore. */
const calls = ["/servers", "/monitoring/overview", "/alerts", "/reports?mine=true", "/unit-tests?mine=true"];

/** What a service on that database answers about a fleet; the same for two databases that hold the same. */
export async function answersOf(
  databaseUrl: string,
  { token, servers }: Fleet,
  secret: string,
): Promise<unknown[]> {
  const service = await startTestService({ databaseUrl, secret, plans: roomyPlans });
  const ofServers = servers.flatMap(({ id }) => [`/servers/${id}/events`, `/servers/${id}/alert-rules`]);
  const answers = [];
  for (const call of [...calls, ...ofServers]) {
    const { status, json: answer } = await service.request("GET", `/api/v1${call}`, { token });
    // The time of the answer itself is not something that was restored; neither is that of a health by its state.
    const text = JSON.stringify(answer, (key, value: unknown) =>
      key === "generated_at" || key === "evaluated_at" ? null : value,
    );
    answers.push({ call, status, answer: JSON.parse(text) as unknown });
  }
  await service.close();
  return answers;
}
