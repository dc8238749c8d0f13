import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verify, type WebhookVerificationError } from './index.ts'

const SECRET = 'whsec_dGVzdCB0ZXN0IHRlc3QgdGVzdCB0ZXN0'
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'order.completed',
  data: { object: { note: 'ü' } },
})
const NOW_S = 1_800_000_000

const mac = (secret: string, t: number, body: string) =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
const signed = (t = NOW_S, secret = SECRET, body = BODY) => ({
  'service-signature': `t=${t},v1=${mac(secret, t, body)}`,
})
const options = { now: () => NOW_S * 1_000 }
const fault = (name: WebhookVerificationError['fault']) => ({ fault: name })

test('a signed body is the event it holds', async () => {
  const event = await verify(BODY, signed(), SECRET, options)
  if (event.type !== 'order.completed') throw new Error('The union tells types apart.')
  expect(event.data.object).toEqual({ note: 'ü' })
})

test('bytes, fetch headers and headers in another case are fine too', async () => {
  const bytes = new TextEncoder().encode(BODY)
  const { 'service-signature': header } = signed()
  await expect(verify(bytes, new Headers(signed()), SECRET, options)).resolves.toBeDefined()
  await expect(
    verify(bytes, { 'Service-Signature': header }, SECRET, options),
  ).resolves.toBeDefined()
})

test('while a secret is rolled, one of two signatures or one of two secrets is enough', async () => {
  const t = NOW_S
  const both = `t=${t},v1=${mac('whsec_old', t, BODY)},v1=${mac(SECRET, t, BODY)}`
  const headers = { 'service-signature': both }
  await expect(verify(BODY, headers, SECRET, options)).resolves.toBeDefined()
  await expect(verify(BODY, signed(), ['whsec_new', SECRET], options)).resolves.toBeDefined()
})

describe('is refused', () => {
  test.each([
    ['a body that was changed', signed(NOW_S, SECRET, `${BODY} `), 'no_match'],
    ['another secret', signed(NOW_S, 'whsec_other'), 'no_match'],
    ['a signature from 301 seconds ago', signed(NOW_S - 301), 'outside_tolerance'],
    ['one from 301 seconds ahead', signed(NOW_S + 301), 'outside_tolerance'],
    ['no header', {}, 'missing_header'],
    [
      'a header without t',
      { 'service-signature': `v1=${mac(SECRET, NOW_S, BODY)}` },
      'malformed_header',
    ],
    ['a header without v1', { 'service-signature': `t=${NOW_S}` }, 'malformed_header'],
    ['a short signature', { 'service-signature': `t=${NOW_S},v1=abcd` }, 'malformed_header'],
    [
      'another version',
      { 'service-signature': `t=${NOW_S},v0=${mac(SECRET, NOW_S, BODY)}` },
      'malformed_header',
    ],
  ] as const)('%s', async (_, headers, name) => {
    await expect(verify(BODY, headers, SECRET, options)).rejects.toMatchObject(fault(name))
  })

  test('a signed body that is not JSON', async () => {
    const headers = signed(NOW_S, SECRET, 'hello')
    await expect(verify('hello', headers, SECRET, options)).rejects.toMatchObject(fault('not_json'))
  })
})

test('300 seconds are still fine, and the tolerance can be another', async () => {
  await expect(verify(BODY, signed(NOW_S - 300), SECRET, options)).resolves.toBeDefined()
  const strict = { ...options, tolerance: 10 }
  await expect(verify(BODY, signed(NOW_S - 11), SECRET, strict)).rejects.toMatchObject(
    fault('outside_tolerance'),
  )
})
