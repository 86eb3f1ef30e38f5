import type { TestService } from './testService.ts';

/** How many calls the service works on, besides this one. */
export async function openCalls({ baseUrl, adminKey }: TestService): Promise<number> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': adminKey } });
  return Number(/^sql_service_open_calls (\d+)$/m.exec(await answer.text())?.[1]) - 1;
}
