import type { App } from '../../../app.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { createSender } from '../../../sender/sender.ts'
import { WORKER_LOST } from '../outcome-texts.ts'
import type { Target } from '../queries/claim.ts'
import { attempt, failedManually } from './attempt.ts'
import { recordResults } from './record-results.ts'
import type { Try } from './try.ts'

/** The dependencies of a manual attempt. It runs in the process that was asked for it. */
export interface ManualEngine extends Pick<App, 'db' | 'vault' | 'clock'> {
  allowedHosts: ReadonlySet<string>
}

/** Sends a leased delivery, waits for the outcome, and records it outside the schedule. */
export async function attemptManually(
  engine: ManualEngine,
  item: Try,
  target: Target,
): Promise<Outcome> {
  const { db, vault, clock, allowedHosts } = engine
  const sender = createSender({ allowedHosts })
  const sending = { one: item, target, stillDue: () => Promise.resolve(true) }
  const { result, outcome } = await attempt(
    engine,
    { sender, signer: { vault, clock } },
    sending,
  ).finally(() => sender.close())
  await recordResults(db, [result])
  return outcome
}

/** Records manual attempts whose process died before it recorded them. Their schedules go on. */
export async function recordLostManual(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  items: readonly Try[],
): Promise<void> {
  if (items.length === 0) return
  await recordResults(
    db,
    items.map((item) => failedManually({ clock }, item, WORKER_LOST)),
  )
}
