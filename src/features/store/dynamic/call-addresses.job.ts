import type { App } from '../../../app.ts'
import type { Job } from '../../../jobs/job.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import { callDue } from './call-address.ts'

/** Asks for the texts of dynamic deliveries, each by the clock of its store. */
export const callAddressesJob: Job = {
  name: 'call-dynamic-addresses',
  every_ms: SECOND_MS,
  run: async (app) => (await callDue(app)) > 0,
}

/** Makes every call that is due in one store now. Each one ends, or is due later. */
export async function makeDueCalls(app: App, { id }: { id: number }): Promise<void> {
  while ((await callDue(app, id)) > 0);
}
