import { expect, test } from 'vitest'
import { redact } from './redact.rules.ts'

const contentOf = (delivered: object) => ({
  payload: { data: { object: { id: 'ord_1', deliveries: [delivered] } } },
  attempt_history: [],
})

test('the keys, the text and the file addresses of a delivery are hidden', () => {
  const files = [{ id: 1, name: 'album.zip', url: 'https://shop.example/files/signed' }]
  const { payload, payload_redacted } = redact(contentOf({ keys: ['K-1'], files, text: 'code' }), {
    maySeeOrders: false,
  })
  expect(payload_redacted).toBe(true)
  expect(payload.data).toEqual({
    object: {
      id: 'ord_1',
      deliveries: [
        { keys: ['••••'], files: [{ id: 1, name: 'album.zip', url: '••••' }], text: '••••' },
      ],
    },
  })
})

test.each([
  [true, 'with files alone', { keys: [], files: [{ url: 'https://shop.example/f' }], text: null }],
  [false, 'without content', { keys: [], files: [], text: null }],
])('payload_redacted is %s for a delivery %s', (isRedacted, _, delivered) => {
  expect(redact(contentOf(delivered), { maySeeOrders: false }).payload_redacted).toBe(isRedacted)
  expect(redact(contentOf(delivered), { maySeeOrders: true })).toEqual({
    ...contentOf(delivered),
    payload_redacted: false,
  })
})
