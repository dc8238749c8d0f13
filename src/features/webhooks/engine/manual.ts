import type { App } from '../../../app.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { createSender } from '../../../sender/sender.ts'
import { WORKER_LOST } from '../outcome-texts.ts'
import type { WebhookTarget } from '../queries/claim.ts'
import { attemptDelivery, failedManualResult } from './attempt.ts'
import type { LeasedDelivery } from './leased-delivery.ts'
import { recordResults } from './record-results.ts'

/** The dependencies of a manual attempt. It runs in the process that received the call. */
interface ManualEngine extends Pick<App, 'db' | 'vault' | 'clock'> {
  allowedHosts: ReadonlySet<string>
}

/** Sends a leased delivery, waits for the outcome, and records it outside the schedule. */
export async function attemptManually(
  engine: ManualEngine,
  item: LeasedDelivery,
  target: WebhookTarget,
): Promise<Outcome> {
  const { db, vault, allowedHosts } = engine
  const sender = createSender({ allowedHosts })
  const input = { delivery: item, target, recheck: () => Promise.resolve(true) }
  const { result, outcome } = await attemptDelivery(
    engine,
    { sender, signer: { vault } },
    input,
  ).finally(() => sender.close())
  await recordResults(db, [result])
  return outcome
}

/** Records manual attempts whose process died before it recorded them. Their schedules continue. */
export async function recordLostManual(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  items: readonly LeasedDelivery[],
): Promise<void> {
  if (items.length === 0) return
  await recordResults(
    db,
    items.map((item) => failedManualResult({ clock }, item, WORKER_LOST)),
  )
}
