import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clientEndpoints } from '../../src/features/licensing/sessions/endpoints.ts'
import { Question } from '../../src/features/webhooks/listen/schema.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { printOpenApi } from '../../src/http/openapi/print.ts'
import { readRequest, type Shapes } from '../../src/http/read-request.ts'
import { isUnbounded } from '../../src/kernel/bounded.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { openProgram } from '../affiliates.ts'
import { machine, newNonce, type Program, programOf } from '../client-security/program.ts'
import { BASE, type Seller, sellerAt } from '../client-security/seller.ts'
import { aKey } from '../client-security/walks.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { ratioToParsing, timeOf, timeOfParsing } from './thread-time.ts'
import { type WorstBody, worstBodiesOf } from './worst-bodies.ts'

const MIB = 1024 * 1024
const RUNTIME_MAX = 64 * 1024
const ANSWER_MAX = 16 * 1024
/** Longer than what an answer may repeat, and quick to send many times. */
const TELLING = 128 * 1024

const store = storeEndpoints.filter(({ method }) => method !== 'GET')
const security = securityEndpoints.filter(({ method }) => method !== 'GET')
const runtime = clientEndpoints.filter(({ method }) => method !== 'GET')

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
})
afterAll(() => tradepost.close())
// Calls of client programs are counted per minute.
beforeEach(() => tradepost.forward(61_000))

function read(e: Shapes, { bytes }: WorstBody) {
  const raw = { contentType: 'application/json', params: {}, query: {}, body: bytes }
  try {
    readRequest(e, raw)
  } catch {
    // Only the time counts.
  }
}

/** How often a body may cost what parsing 1 MiB of small objects costs. */
const TIMES_MAX = 4

let parsing_ms = 0
beforeAll(() => {
  parsing_ms = timeOfParsing()
})

async function checkTimes(e: Shapes, bytes_max: number) {
  const slow: string[] = []
  for (const body of worstBodiesOf(e, bytes_max)) {
    const time = () => timeOf(() => read(e, body))
    // Other work may have disturbed a slow turn, so it is measured again, in turns with the reference.
    if (time() <= TIMES_MAX * parsing_ms) continue
    const ratio = await ratioToParsing(time, TIMES_MAX)
    if (ratio > TIMES_MAX) slow.push(`${body.name}: ${ratio.toFixed(1)} times`)
  }
  expect(slow).toEqual([])
}

describe('no body takes longer to check than JSON.parse needs for 4 MiB of objects (decision 120)', () => {
  test.each(store)('$id', (e) => checkTimes(e, MIB), 60_000)
  test.each(security)('$id', (e) => checkTimes(e, MIB), 60_000)
  test.each(runtime)('$id', (e) => checkTimes(e, RUNTIME_MAX), 60_000)
})

interface Said {
  name: string
  status: number
  text: string
}

/** The faults of the answers: a 500, a too long answer, or a long echo. */
function faults(said: Said[]): string[] {
  return said.flatMap(({ name, status, text }) => [
    ...(status >= 500 ? [`${name}: ${status}`] : []),
    ...(status >= 400 && Buffer.byteLength(text) > ANSWER_MAX ? [`${name}: ${text.length}`] : []),
    ...(status >= 400 && /x{101}|(<b>){34}/.test(text) ? [`${name}: echoes`] : []),
    ...((JSON.parse(text).details?.errors?.length ?? 0) > 20 ? [`${name}: over 20 problems`] : []),
  ])
}

/** Bodies that are refused only for their size are left out. */
const tellingBodies = (e: Shapes, bytes_max: number) =>
  worstBodiesOf(e, bytes_max).filter(({ name }) => !/^(too many|deep|objects)/.test(name))

const pathOf = (path: string) => path.replace(/:\w+/g, '1')

describe('an answer to a bad body is at most 16 KiB, lists 20 problems, and repeats 100 characters (decision 120)', () => {
  test.each(store)('$id', async (e) => {
    const said: Said[] = []
    for (const { name, bytes } of tellingBodies(e, TELLING)) {
      const { status, text } = await tradepost.call(e.method, pathOf(e.path), { raw: bytes })
      said.push({ name, status, text })
    }
    expect(faults(said)).toEqual([])
  })

  test.each(security)('$id', async (e) => {
    const said: Said[] = []
    for (const { name, bytes } of tellingBodies(e, TELLING)) {
      const { status, text } = await seller.call(e.method, pathOf(e.path), { raw: bytes })
      said.push({ name, status, text })
    }
    expect(faults(said)).toEqual([])
  })

  test.each(runtime)('$id', async (e) => {
    const license = await aKey(seller, { app_id: program.appId })
    const { session } = await program.start({ license_key: license.key, device: machine() })
    const said: Said[] = []
    for (const { name, bytes } of tellingBodies(e, RUNTIME_MAX)) {
      const { statusCode, body } = await tradepost.server.inject({
        method: e.method,
        url: `${BASE}/client/${program.publicId}${pathOf(e.path)}`,
        headers: {
          'content-type': 'application/json',
          'client-nonce': newNonce(),
          ...(e.session !== 'none' && { authorization: `Bearer ${session.token}` }),
        },
        payload: bytes,
        remoteAddress: `198.51.100.${said.length}`,
      })
      said.push({ name, status: statusCode, text: body })
    }
    expect(faults(said)).toEqual([])
  })
})

test('a body of the runtime is at most 64 KiB, another 1 MiB (decision 120)', async () => {
  const refusal = async (url: string, bytes: number) =>
    (
      await tradepost.server.inject({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'client-nonce': newNonce(),
          authorization: `Bearer ${seller.key}`,
        },
        payload: 'x'.repeat(bytes),
      })
    ).statusCode
  const validate = `${BASE}/client/${program.publicId}/validate`
  expect([await refusal(validate, 65_536), await refusal(validate, 65_537)]).toEqual([400, 413])
  const keys = `${BASE}/keys`
  expect([await refusal(keys, MIB), await refusal(keys, MIB + 1)]).toEqual([400, 413])
})

test('one too long list or map is one problem, and names the field (decision 120)', async () => {
  const map = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))
  const highlights = await tradepost.post('/products', {
    name: 'x',
    details: { highlights: map(5_000) },
  })
  expect(highlights.json.details).toEqual({
    field: 'details.highlights',
    errors: [{ field: 'details.highlights', message: 'Use at most 50 highlights.' }],
  })
  const events = Array.from({ length: 40_000 }, () => 0)
  const webhook = await tradepost.post('/webhooks', { url: 'http://127.0.0.1/x', events })
  expect(webhook.json.details.errors).toHaveLength(1)
  expect(webhook.json.details.field).toBe('events')
  const components = {
    license_key: 'x',
    device: { fingerprint: 'x'.repeat(20), components: map(5_000) },
  }
  const { status, json } = await program.call('POST', '/validate', { body: components })
  expect([status, json.error]).toEqual([422, 'device.components: Send at most 16 components.'])
})

describe('a call without the body that it needs (decision 131)', () => {
  const patches = (all: readonly Endpoint[]) => all.filter(({ method }) => method === 'PATCH')

  test.each(patches(store))('$id is refused', async (e) => {
    const { status, json } = await tradepost.call('PATCH', pathOf(e.path))
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'body'])
  })

  test.each(patches(security))('$id of Client Security is refused', async (e) => {
    const { status, json } = await seller.call('PATCH', pathOf(e.path))
    expect([status, json.error.slice(0, 6)]).toEqual([422, 'body: '])
  })

  test('{} is a body, and changes nothing where every field is optional', async () => {
    const made = await tradepost.post('/products', { name: 'Pen', price_cents: 100 })
    await tradepost.events()
    const { status, json } = await tradepost.patch(`/products/${made.json.product.id}`, {})
    expect([status, json.product.name]).toEqual([200, 'Pen'])
    const { app } = (await seller.post('/apps', { name: 'Patched by nothing' })).json
    expect((await seller.patch(`/apps/${app.id}`, {})).status).toBe(200)
  })

  test('a POST whose fields are all optional is taken without one', async () => {
    expect((await seller.call('POST', '/keys')).status).toBe(201)
  })

  test('OpenAPI says which bodies are required', () => {
    const { paths } = printOpenApi(storeEndpoints, {
      serverUrl: 'http://127.0.0.1/v1',
      version: 'test',
      events: {},
    }) as Json
    const isRequired = (e: Endpoint) =>
      paths[e.path.replace(/:(\w+)/g, '{$1}')][e.method.toLowerCase()].requestBody.required
    const wrong = store.filter((e) => {
      if (!e.body) return false
      const needs = e.method === 'PATCH' || !e.body.safeParse({}).success
      return isRequired(e) !== needs
    })
    expect(wrong.map(({ id }) => id)).toEqual([])
  })
})

/** Every shape within a shape. */
function* shapesWithin(
  shape: z.core.$ZodType,
  seen = new Set<unknown>(),
): Generator<z.core.$ZodType> {
  if (seen.has(shape)) return
  seen.add(shape)
  yield shape
  const def = shape._zod.def as Json
  const inner = [
    ...Object.values<z.core.$ZodType>(def.shape ?? {}),
    ...(def.options ?? []),
    ...[
      def.element,
      def.keyType,
      def.valueType,
      def.innerType,
      def.in,
      def.out,
      def.left,
      def.right,
    ],
    ...(def.type === 'lazy' ? [def.getter()] : []),
  ]
  for (const item of inner) if (item?._zod) yield* shapesWithin(item, seen)
}

test('every list and every map of a request has a bound that is checked first (decision 120)', () => {
  const shapes = [...storeEndpoints, ...securityEndpoints, ...clientEndpoints].flatMap((e) => [
    { id: e.id, shapes: [e.params, e.query, e.body, 'upload' in e ? e.upload?.form : undefined] },
  ])
  const bare = [...shapes, { id: 'listen', shapes: [Question] }].flatMap(({ id, shapes }) =>
    shapes.flatMap((shape) => (shape && [...shapesWithin(shape)].some(isUnbounded) ? [id] : [])),
  )
  expect(bare).toEqual([])
  expect(
    [...shapesWithin(z.object({ a: z.array(z.int()).max(3).optional() }))].some(isUnbounded),
  ).toBe(true)
})
