import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import ts from 'typescript'
import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { sampleOf } from '../../src/events/samples.ts'
import type { EventType } from '../../src/events/types.ts'
import {
  verify,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookObjects,
  type WebhookVerificationError,
} from './index.ts'

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

test('a signed body is returned as its event', async () => {
  const event = await verify(BODY, signed(), SECRET, options)
  if (event.type !== 'order.completed') throw new Error('The union tells types apart.')
  expect(event.data.object).toEqual({ note: 'ü' })
})

test('bytes, fetch headers and headers in another case are accepted too', async () => {
  const bytes = new TextEncoder().encode(BODY)
  const { 'service-signature': header } = signed()
  await expect(verify(bytes, new Headers(signed()), SECRET, options)).resolves.toBeDefined()
  await expect(
    verify(bytes, { 'Service-Signature': header }, SECRET, options),
  ).resolves.toBeDefined()
  const spaced = { 'service-signature': header.replace(',', ', ') }
  await expect(verify(bytes, spaced, SECRET, options)).resolves.toBeDefined()
})

test('during a secret rotation, one matching signature or secret is enough', async () => {
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
    ['a signature from 301 seconds ahead', signed(NOW_S + 301), 'outside_tolerance'],
    ['no header', {}, 'missing_header'],
    [
      'a header without t',
      { 'service-signature': `v1=${mac(SECRET, NOW_S, BODY)}` },
      'malformed_header',
    ],
    ['a header without v1', { 'service-signature': `t=${NOW_S}` }, 'malformed_header'],
    [
      'a header with nine signatures, although one matches',
      {
        'service-signature': `${signed()['service-signature']}${`,v1=${'0'.repeat(64)}`.repeat(8)}`,
      },
      'malformed_header',
    ],
    [
      'a signature with one extra byte',
      { 'service-signature': `${signed()['service-signature']}00` },
      'malformed_header',
    ],
    [
      'a time with more than 12 digits',
      { 'service-signature': `t=000${NOW_S},v1=${mac(SECRET, NOW_S, BODY)}` },
      'malformed_header',
    ],
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

test('an ArrayBuffer and a bare header value are accepted too', async () => {
  const { 'service-signature': header } = signed()
  const { buffer } = Uint8Array.from(new TextEncoder().encode(BODY))
  await expect(verify(buffer, header, SECRET, options)).resolves.toMatchObject({ id: 'evt_1' })
})

test.each([
  ['that was parsed', JSON.parse(BODY)],
  ['that no parser of the receiver took', undefined],
  ['that is the request', { body: BODY }],
])('a body %s is refused with a hint at the raw body', async (_, body) => {
  const verified = verify(body as string, signed(), SECRET, options)
  await expect(verified).rejects.toMatchObject(fault('not_raw'))
  await expect(verified).rejects.toThrow('express.raw({ type: "application/json" })')
})

test.each([undefined, null, 7])('headers that are %s have no signature', async (headers) => {
  const verified = verify(BODY, headers as undefined, SECRET, options)
  await expect(verified).rejects.toMatchObject(fault('missing_header'))
})

test.each([undefined, '', [], [SECRET, ''], [undefined]])(
  'a secret of %j throws a TypeError that names it',
  async (secret) => {
    for (const headers of [signed(), signed(NOW_S, 'whsec_other'), {}]) {
      const verified = verify(BODY, headers, secret as string, options)
      await expect(verified).rejects.toThrow(TypeError)
      await expect(verified).rejects.toThrow('Check that the environment variable is set.')
    }
  },
)

test('300 seconds are still accepted, and the tolerance can be changed', async () => {
  await expect(verify(BODY, signed(NOW_S - 300), SECRET, options)).resolves.toBeDefined()
  const strict = { ...options, tolerance: 10 }
  await expect(verify(BODY, signed(NOW_S - 11), SECRET, strict)).rejects.toMatchObject(
    fault('outside_tolerance'),
  )
})

test.each([
  Number.NaN,
  -1,
  -0.001,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '300' as never,
  'five minutes' as never,
  null as never,
  [300] as never,
  300n as never,
])('a tolerance of %s throws a RangeError with the expected value', async (tolerance) => {
  for (const headers of [signed(), signed(NOW_S - 86_400), {}]) {
    const verified = verify(BODY, headers, SECRET, { ...options, tolerance })
    await expect(verified).rejects.toThrow(RangeError)
    await expect(verified).rejects.toThrow('a number of seconds, 0 or more')
  }
})

test('a tolerance of 0 accepts only the same second, and a NaN clock is always outside', async () => {
  const at = (t: number) => verify(BODY, signed(t), SECRET, { ...options, tolerance: 0 })
  await expect(at(NOW_S)).resolves.toBeDefined()
  await expect(at(NOW_S - 1)).rejects.toMatchObject(fault('outside_tolerance'))
  const unknown = verify(BODY, signed(), SECRET, { now: () => Number.NaN })
  await expect(unknown).rejects.toMatchObject(fault('outside_tolerance'))
})

/** The globals that Node, Deno, Bun and workers share, without those of Node. */
const WEB = { crypto, TextEncoder, TextDecoder, Headers }

test('it needs only web globals and has no imports', async () => {
  const source = readFileSync(new URL('index.ts', import.meta.url), 'utf8')
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  })
  expect(outputText).not.toMatch(/\brequire\(|\bimport\b/)
  const world = createContext({ ...WEB, exports: {} })
  runInContext(outputText, world)
  const own = world.exports as typeof import('./index.ts')

  const event = await own.verify(BODY, new Headers(signed()), SECRET, options)
  expect(event).toMatchObject({ id: 'evt_1', data: { object: { note: 'ü' } } })
  await expect(own.verify(`${BODY} `, signed(), SECRET, options)).rejects.toMatchObject({
    name: 'WebhookVerificationError',
    fault: 'no_match',
  })
})

test('only Web Crypto compares signatures, and each one is compared', async () => {
  const compared = vi.spyOn(crypto.subtle, 'verify')
  const wrong = `,v1=${'0'.repeat(64)}`
  const headers = { 'service-signature': `${signed()['service-signature']}${wrong}${wrong}` }
  await expect(verify(BODY, headers, SECRET, options)).resolves.toBeDefined()
  expect(compared).toHaveBeenCalledTimes(3)
  compared.mockRestore()
})

test('the union of events has 19 types, each with its own object type', () => {
  expectTypeOf<WebhookEventType>().toEqualTypeOf<EventType>()
  const amountOf = (event: WebhookEvent) => {
    if (event.type === 'order.refunded') return event.data.object.refund.amount
    if (event.type === 'product.restocked') return event.data.object.added
    return undefined
  }
  expectTypeOf(amountOf).returns.toEqualTypeOf<number | undefined>()
  const order: WebhookObjects['order.completed'] = sampleOf('order.completed', 'EUR')
  expect(order.deliveries[0]?.keys).toHaveLength(2)
})
