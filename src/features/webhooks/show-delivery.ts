import { requireRecord } from '../../kernel/errors.ts'
import type { StoreContext } from '../../store-context.ts'
import type { ManualResult } from './manual-attempts.ts'
import * as q from './queries/index.ts'
import { redact } from './redact.rules.ts'
import type { SendResult, WebhookDelivery } from './schema.ts'
import { openPayload } from './sealed.ts'
import { toListedDelivery } from './show-webhooks.ts'

/** Returns a delivery with its payload and all attempts. Hides delivered goods unless `maySeeOrders`. */
export async function getDelivery(
  context: StoreContext,
  id: number,
  access: { maySeeOrders: boolean },
): Promise<WebhookDelivery> {
  const { payload_enc, attempt_history, ...row } = requireRecord(
    await q.selectDelivery(context.db, context.store.id, id),
    'Delivery',
  )
  const text = openPayload(context, row.event.tag, payload_enc).toString()
  const content = { payload: JSON.parse(text), attempt_history }
  return { ...toListedDelivery(row), ...redact(content, access) }
}

/** Returns the result of a manual attempt with its delivery. */
export async function showManualResult(
  context: StoreContext,
  { delivery_id, result }: ManualResult,
  access: { maySeeOrders: boolean },
): Promise<{ result: SendResult; delivery: WebhookDelivery }> {
  return { result, delivery: await getDelivery(context, delivery_id, access) }
}
