import type { Attempt } from './schema.ts'

type PayloadObject = Record<string, unknown>

interface OrderDelivery {
  keys?: string[]
  files?: { url: string }[]
  text?: string | null
}

const HIDDEN = '••••'

interface DeliveryContent {
  payload: PayloadObject
  attempt_history: Attempt[]
}

/**
 * Returns a delivery as a caller may read it. Unless `maySeeOrders`, hides delivered goods, and the responses of
 * the receiver, which may repeat them. `payload_redacted` is true if a value was hidden (decision 52).
 */
export function redact(
  { payload, attempt_history }: DeliveryContent,
  { maySeeOrders }: { maySeeOrders: boolean },
): DeliveryContent & { payload_redacted: boolean } {
  const data = payload.data as { object: PayloadObject & { deliveries?: OrderDelivery[] } }
  const deliveries = data.object.deliveries
  const hasGoods = deliveries?.some(
    ({ keys = [], files = [], text }) => keys.length > 0 || files.length > 0 || text != null,
  )
  if (maySeeOrders || !deliveries || !hasGoods) {
    return { payload, attempt_history, payload_redacted: false }
  }
  const object = { ...data.object, deliveries: deliveries.map(hideContent) }
  return {
    payload: { ...payload, data: { ...data, object } },
    attempt_history: attempt_history.map((item) => ({ ...item, response_body: null })),
    payload_redacted: true,
  }
}

const hideContent = (delivery: OrderDelivery): OrderDelivery => ({
  ...delivery,
  ...(delivery.keys && { keys: delivery.keys.map(() => HIDDEN) }),
  ...(delivery.files && { files: delivery.files.map((file) => ({ ...file, url: HIDDEN })) }),
  ...(delivery.text != null && { text: HIDDEN }),
})
