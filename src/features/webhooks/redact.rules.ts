type Payload = Record<string, unknown>

interface Handed {
  keys?: string[]
  text?: string | null
}

const HIDDEN = '••••'

/**
 * A payload as a key may see it: without `orders:read`, what was handed over is hidden. `redacted` is
 * true exactly where a value was (decision 52).
 */
export function redact(
  payload: Payload,
  mayReadOrders: boolean,
): { payload: Payload; redacted: boolean } {
  const data = payload.data as { object: Payload & { deliveries?: Handed[] } }
  const deliveries = data.object.deliveries
  const hides = deliveries?.some(({ keys, text }) => (keys?.length ?? 0) > 0 || text != null)
  if (mayReadOrders || !deliveries || !hides) return { payload, redacted: false }
  const object = { ...data.object, deliveries: deliveries.map(hide) }
  return { payload: { ...payload, data: { ...data, object } }, redacted: true }
}

const hide = (handed: Handed): Handed => ({
  ...handed,
  ...(handed.keys && { keys: handed.keys.map(() => HIDDEN) }),
  ...(handed.text != null && { text: HIDDEN }),
})
