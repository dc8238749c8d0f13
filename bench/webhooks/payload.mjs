export const PAYLOAD_BYTES = 1_024

/** Returns a payload of 1 KB. The receiver identifies it by its number. */
export function payloadOf(type, number = 0) {
  const object = { object: 'order', bench: String(number).padStart(8, '0'), note: '' }
  const envelope = {
    id: 'evt_0000000000000000000000000',
    object: 'event',
    type,
    created: 1_767_225_600,
    livemode: true,
    store: { id: 'bench0000000', name: 'Bench', slug: 'bench' },
    data: { object },
  }
  const padding = PAYLOAD_BYTES - JSON.stringify(envelope).length
  return JSON.stringify({ ...envelope, data: { object: { ...object, note: 'x'.repeat(padding) } } })
}
