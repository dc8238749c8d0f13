import { expect, test } from 'vitest'
import { redact } from './redact.rules.ts'

const contentOf = (handed: object) => ({
  payload: { data: { object: { id: 'ord_1', deliveries: [handed] } } },
  attempt_history: [],
})

test('handed-over goods are hidden: keys, text, and the addresses of files', () => {
  const files = [{ id: 1, name: 'album.zip', url: 'https://shop.example/files/signed' }]
  const { payload, payload_redacted } = redact(
    contentOf({ keys: ['K-1'], files, text: 'code' }),
    false,
  )
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
  ['files alone are', { keys: [], files: [{ url: 'https://shop.example/f' }], text: null }, true],
  ['nothing handed over is', { keys: [], files: [], text: null }, false],
])('%s hidden: %j', (_name, handed, hidden) => {
  expect(redact(contentOf(handed), false).payload_redacted).toBe(hidden)
  expect(redact(contentOf(handed), true)).toEqual({ ...contentOf(handed), payload_redacted: false })
})
