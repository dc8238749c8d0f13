import type { Attempt } from './schema.ts'

type Payload = Record<string, unknown>

interface Handed {
  keys?: string[]
  files?: { url: string }[]
  text?: string | null
}

const HIDDEN = '••••'

/** The payload of a delivery and its attempts. */
interface DeliveryContent {
  payload: Payload
  attempt_history: Attempt[]
}

/**
 * A delivery as a caller may see it: unless `seesOrders`, delivered goods are hidden, and so is the
 * answer of the receiver, which may repeat them. `payload_redacted` is true exactly where a value was
 * hidden (decision 52).
 */
export function redact(
  { payload, attempt_history }: DeliveryContent,
  seesOrders: boolean,
): DeliveryContent & { payload_redacted: boolean } {
  const data = payload.data as { object: Payload & { deliveries?: Handed[] } }
  const deliveries = data.object.deliveries
  const hides = deliveries?.some(
    ({ keys = [], files = [], text }) => keys.length > 0 || files.length > 0 || text != null,
  )
  if (seesOrders || !deliveries || !hides) {
    return { payload, attempt_history, payload_redacted: false }
  }
  const object = { ...data.object, deliveries: deliveries.map(hide) }
  return {
    payload: { ...payload, data: { ...data, object } },
    attempt_history: attempt_history.map((item) => ({ ...item, response_body: null })),
    payload_redacted: true,
  }
}

const hide = (handed: Handed): Handed => ({
  ...handed,
  ...(handed.keys && { keys: handed.keys.map(() => HIDDEN) }),
  ...(handed.files && { files: handed.files.map((file) => ({ ...file, url: HIDDEN })) }),
  ...(handed.text != null && { text: HIDDEN }),
})
