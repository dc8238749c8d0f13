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

const signatureOf = (secret: string, t: number, body: string) =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
const signedHeaders = (t = NOW_S, secret = SECRET, body = BODY) => ({
  'service-signature': `t=${t},v1=${signatureOf(secret, t, body)}`,
})
const options = { now: () => NOW_S * 1_000 }
const fault = (name: WebhookVerificationError['fault']) => ({ fault: name })

test('a signed body is returned as its event', async () => {
  const event = await verify(BODY, signedHeaders(), SECRET, options)
  if (event.type !== 'order.completed') throw new Error(`The type is ${event.type}.`)
  expect(event.data.object).toEqual({ note: 'ü' })
})

test('a body of bytes, headers of fetch, a header name in another case and spaces in the header are accepted', async () => {
  const bytes = new TextEncoder().encode(BODY)
  const { 'service-signature': header } = signedHeaders()
  await expect(verify(bytes, new Headers(signedHeaders()), SECRET, options)).resolves.toBeDefined()
  await expect(
    verify(bytes, { 'Service-Signature': header }, SECRET, options),
  ).resolves.toBeDefined()
  const spaced = { 'service-signature': header.replace(',', ', ') }
  await expect(verify(bytes, spaced, SECRET, options)).resolves.toBeDefined()
})

test('during a secret rotation, one matching signature or secret is enough', async () => {
  const t = NOW_S
  const both = `t=${t},v1=${signatureOf('whsec_old', t, BODY)},v1=${signatureOf(SECRET, t, BODY)}`
  const headers = { 'service-signature': both }
  await expect(verify(BODY, headers, SECRET, options)).resolves.toBeDefined()
  await expect(verify(BODY, signedHeaders(), ['whsec_new', SECRET], options)).resolves.toBeDefined()
})

describe('verify refuses', () => {
  test.each([
    ['a body that was changed', signedHeaders(NOW_S, SECRET, `${BODY} `), 'no_match'],
    ['another secret', signedHeaders(NOW_S, 'whsec_other'), 'no_match'],
    ['a signature from 301 seconds ago', signedHeaders(NOW_S - 301), 'outside_tolerance'],
    ['a signature with a time 301 seconds ahead', signedHeaders(NOW_S + 301), 'outside_tolerance'],
    ['a request without the header', {}, 'missing_header'],
    [
      'a header without t',
      { 'service-signature': `v1=${signatureOf(SECRET, NOW_S, BODY)}` },
      'malformed_header',
    ],
    ['a header without v1', { 'service-signature': `t=${NOW_S}` }, 'malformed_header'],
    [
      'a header with nine signatures, although one matches',
      {
        'service-signature': `${signedHeaders()['service-signature']}${`,v1=${'0'.repeat(64)}`.repeat(8)}`,
      },
      'malformed_header',
    ],
    [
      'a signature with one extra byte',
      { 'service-signature': `${signedHeaders()['service-signature']}00` },
      'malformed_header',
    ],
    [
      'a time with more than 12 digits',
      { 'service-signature': `t=000${NOW_S},v1=${signatureOf(SECRET, NOW_S, BODY)}` },
      'malformed_header',
    ],
    ['a short signature', { 'service-signature': `t=${NOW_S},v1=abcd` }, 'malformed_header'],
    [
      'another version',
      { 'service-signature': `t=${NOW_S},v0=${signatureOf(SECRET, NOW_S, BODY)}` },
      'malformed_header',
    ],
  ] as const)('%s', async (_, headers, name) => {
    await expect(verify(BODY, headers, SECRET, options)).rejects.toMatchObject(fault(name))
  })

  test('a signed body that is not JSON', async () => {
    const headers = signedHeaders(NOW_S, SECRET, 'hello')
    await expect(verify('hello', headers, SECRET, options)).rejects.toMatchObject(fault('not_json'))
  })
})

test('an ArrayBuffer as the body and the header value instead of the headers are accepted', async () => {
  const { 'service-signature': header } = signedHeaders()
  const { buffer } = Uint8Array.from(new TextEncoder().encode(BODY))
  await expect(verify(buffer, header, SECRET, options)).resolves.toMatchObject({ id: 'evt_1' })
})

test.each([
  ['the parsed JSON', JSON.parse(BODY)],
  ['undefined', undefined],
  ['the request', { body: BODY }],
])('a body that is %s is refused, and the error names express.raw', async (_, body) => {
  const verified = verify(body as string, signedHeaders(), SECRET, options)
  await expect(verified).rejects.toMatchObject(fault('not_raw'))
  await expect(verified).rejects.toThrow('express.raw({ type: "application/json" })')
})

test.each([undefined, null, 7])(
  'headers that are %s are refused with missing_header',
  async (headers) => {
    const verified = verify(BODY, headers as undefined, SECRET, options)
    await expect(verified).rejects.toMatchObject(fault('missing_header'))
  },
)

test.each([undefined, '', [], [SECRET, ''], [undefined]])(
  'a secret of %j throws a TypeError with a remedy',
  async (secret) => {
    for (const headers of [signedHeaders(), signedHeaders(NOW_S, 'whsec_other'), {}]) {
      const verified = verify(BODY, headers, secret as string, options)
      await expect(verified).rejects.toThrow(TypeError)
      await expect(verified).rejects.toThrow('Check that the environment variable is set.')
    }
  },
)

test('a signature from 300 seconds ago is accepted, and another tolerance can be set', async () => {
  await expect(verify(BODY, signedHeaders(NOW_S - 300), SECRET, options)).resolves.toBeDefined()
  const strict = { ...options, tolerance: 10 }
  await expect(verify(BODY, signedHeaders(NOW_S - 11), SECRET, strict)).rejects.toMatchObject(
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
  for (const headers of [signedHeaders(), signedHeaders(NOW_S - 86_400), {}]) {
    const verified = verify(BODY, headers, SECRET, { ...options, tolerance })
    await expect(verified).rejects.toThrow(RangeError)
    await expect(verified).rejects.toThrow('a number of seconds, 0 or more')
  }
})

test('a tolerance of 0 accepts only a signature of the same second, and a clock that returns NaN accepts none', async () => {
  const verifyAt = (t: number) =>
    verify(BODY, signedHeaders(t), SECRET, { ...options, tolerance: 0 })
  await expect(verifyAt(NOW_S)).resolves.toBeDefined()
  await expect(verifyAt(NOW_S - 1)).rejects.toMatchObject(fault('outside_tolerance'))
  const withoutTime = verify(BODY, signedHeaders(), SECRET, { now: () => Number.NaN })
  await expect(withoutTime).rejects.toMatchObject(fault('outside_tolerance'))
})

/** The globals that Node, Deno, Bun and workers have in common. */
const WEB_GLOBALS = { crypto, TextEncoder, TextDecoder, Headers }

test('the verifier needs only web globals and imports nothing', async () => {
  const source = readFileSync(new URL('index.ts', import.meta.url), 'utf8')
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  })
  expect(outputText).not.toMatch(/\brequire\(|\bimport\b/)
  const context = createContext({ ...WEB_GLOBALS, exports: {} })
  runInContext(outputText, context)
  const isolated = context.exports as typeof import('./index.ts')

  const event = await isolated.verify(BODY, new Headers(signedHeaders()), SECRET, options)
  expect(event).toMatchObject({ id: 'evt_1', data: { object: { note: 'ü' } } })
  await expect(isolated.verify(`${BODY} `, signedHeaders(), SECRET, options)).rejects.toMatchObject(
    {
      name: 'WebhookVerificationError',
      fault: 'no_match',
    },
  )
})

test('every signature of the header is compared with Web Crypto, including those after a match', async () => {
  const verifySpy = vi.spyOn(crypto.subtle, 'verify')
  const wrong = `,v1=${'0'.repeat(64)}`
  const headers = { 'service-signature': `${signedHeaders()['service-signature']}${wrong}${wrong}` }
  await expect(verify(BODY, headers, SECRET, options)).resolves.toBeDefined()
  expect(verifySpy).toHaveBeenCalledTimes(3)
  verifySpy.mockRestore()
})

test('the union of events has the event types of the server, and the type of an event determines the type of its object', () => {
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
