import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clientEndpoints } from '../../src/features/licensing/sessions/endpoints.ts'
import { ListenerRequest } from '../../src/features/webhooks/listen/schema.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { printOpenApi } from '../../src/http/openapi/print.ts'
import { type RequestShapes, readRequest } from '../../src/http/read-request.ts'
import { isUnbounded } from '../../src/kernel/bounded.ts'
import { securityEndpoints } from '../../src/surfaces/security-api.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import { openProgram } from '../affiliates.ts'
import { createLicenseKey } from '../client-security/prepared-calls.ts'
import { createProgram, newMachine, newNonce, type Program } from '../client-security/program.ts'
import { BASE, createSeller, type Seller } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { walk } from '../walks.ts'
import { shapesWithin } from './shapes-within.ts'
import { ratioToParsing, timeOf, timeOfParsing } from './thread-time.ts'
import { type WorstBody, worstBodiesOf } from './worst-bodies.ts'

const MIB = 1024 * 1024
const RUNTIME_MAX = 64 * 1024
const ANSWER_MAX = 16 * 1024
/** Long enough that an answer could repeat too much of it, and small enough to be sent many times. */
const ANSWERED_BODY_MAX = 128 * 1024

const storeChanges = storeEndpoints.filter(({ method }) => method !== 'GET')
const securityChanges = securityEndpoints.filter(({ method }) => method !== 'GET')
const clientChanges = clientEndpoints.filter(({ method }) => method !== 'GET')

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  await openProgram(tradepost)
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())
// The calls of client programs are limited per minute.
beforeEach(() => tradepost.forward(61_000))

function readBody(endpoint: RequestShapes, { bytes }: WorstBody) {
  const raw = { contentType: 'application/json', params: {}, query: {}, body: bytes }
  try {
    readRequest(endpoint, raw)
  } catch {
    // Only the time is checked.
  }
}

/** The allowed cost of a body, as a multiple of parsing 1 MiB of small objects. */
const TIMES_MAX = 4

let parsing_ms = 0
beforeAll(() => {
  parsing_ms = timeOfParsing()
})

async function checkTimes(endpoint: RequestShapes, bytes_max: number) {
  const slowBodies: string[] = []
  for (const body of worstBodiesOf(endpoint, bytes_max)) {
    const time = () => timeOf(() => readBody(endpoint, body))
    // Other work may have disturbed the measurement, so it is repeated alternately with the reference.
    if (time() <= TIMES_MAX * parsing_ms) continue
    const ratio = await ratioToParsing(time, TIMES_MAX)
    if (ratio > TIMES_MAX) slowBodies.push(`${body.name}: ${ratio.toFixed(1)} times`)
  }
  expect(slowBodies).toEqual([])
}

describe('checking a body takes no longer than JSON.parse needs for 4 MiB of small objects (decision 120):', () => {
  test.each(walk(storeChanges))('$id', (endpoint) => checkTimes(endpoint, MIB))
  test.each(walk(securityChanges))('$id', (endpoint) => checkTimes(endpoint, MIB))
  test.each(walk(clientChanges))('$id', (endpoint) => checkTimes(endpoint, RUNTIME_MAX))
})

interface BodyAnswer {
  name: string
  status: number
  text: string
}

/** Returns the answers that are a 5xx, too long, or that repeat too much of the body. */
function findFaults(answers: BodyAnswer[]): string[] {
  return answers.flatMap(({ name, status, text }) => [
    ...(status >= 500 ? [`${name}: ${status}`] : []),
    ...(status >= 400 && Buffer.byteLength(text) > ANSWER_MAX ? [`${name}: ${text.length}`] : []),
    ...(status >= 400 && /x{101}|(<b>){34}/.test(text) ? [`${name}: echoes`] : []),
    ...((JSON.parse(text).details?.errors?.length ?? 0) > 20 ? [`${name}: over 20 problems`] : []),
  ])
}

/** Returns the worst bodies except those that are refused only for their size. */
const answeredBodies = (endpoint: RequestShapes, bytes_max: number) =>
  worstBodiesOf(endpoint, bytes_max).filter(({ name }) => !/^(too many|deep|objects)/.test(name))

const pathOf = (path: string) => path.replace(/:\w+/g, '1')

describe('the refusal of a body has at most 16 KiB, 20 problems and 100 repeated characters (decision 120):', () => {
  test.each(walk(storeChanges))('$id', async (endpoint) => {
    const answers: BodyAnswer[] = []
    for (const { name, bytes } of answeredBodies(endpoint, ANSWERED_BODY_MAX)) {
      const { status, text } = await tradepost.call(endpoint.method, pathOf(endpoint.path), {
        raw: bytes,
      })
      answers.push({ name, status, text })
    }
    expect(findFaults(answers)).toEqual([])
  })

  test.each(walk(securityChanges))('$id', async (endpoint) => {
    const answers: BodyAnswer[] = []
    for (const { name, bytes } of answeredBodies(endpoint, ANSWERED_BODY_MAX)) {
      const { status, text } = await seller.call(endpoint.method, pathOf(endpoint.path), {
        raw: bytes,
      })
      answers.push({ name, status, text })
    }
    expect(findFaults(answers)).toEqual([])
  })

  test.each(walk(clientChanges))('$id', async (endpoint) => {
    const license = await createLicenseKey(seller, { app_id: program.appId })
    const { session } = await program.start({ license_key: license.key, device: newMachine() })
    const answers: BodyAnswer[] = []
    for (const { name, bytes } of answeredBodies(endpoint, RUNTIME_MAX)) {
      const { statusCode, body } = await tradepost.server.inject({
        method: endpoint.method,
        url: `${BASE}/client/${program.publicId}${pathOf(endpoint.path)}`,
        headers: {
          'content-type': 'application/json',
          'client-nonce': newNonce(),
          ...(endpoint.session !== 'none' && { authorization: `Bearer ${session.token}` }),
        },
        payload: bytes,
        remoteAddress: `198.51.100.${answers.length}`,
      })
      answers.push({ name, status: statusCode, text: body })
    }
    expect(findFaults(answers)).toEqual([])
  })
})

test('a body over 64 KiB of a client program, and one over 1 MiB of a seller, is 413 (decision 120)', async () => {
  const statusOf = async (url: string, bytes: number) =>
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
  expect([await statusOf(validate, 65_536), await statusOf(validate, 65_537)]).toEqual([400, 413])
  const keys = `${BASE}/keys`
  expect([await statusOf(keys, MIB), await statusOf(keys, MIB + 1)]).toEqual([400, 413])
})

test('a list or map that is too long is refused with one problem, which names the field (decision 120)', async () => {
  const map = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))
  const highlights = await tradepost.post('/products', {
    name: 'x',
    details: { highlights: map(5_000) },
  })
  expect(highlights.json.details).toEqual({
    field: 'details.highlights',
    errors: [
      {
        field: 'details.highlights',
        message: 'Use at most 50 highlights.',
        rule: 'max_keys',
        limit: 50,
      },
    ],
  })
  const events = Array.from({ length: 40_000 }, () => 0)
  const webhook = await tradepost.post('/webhooks', { url: 'http://127.0.0.1/x', events })
  expect(webhook.json.details.errors).toHaveLength(1)
  expect(webhook.json.details.field).toBe('events')
  const validation = {
    license_key: 'x',
    device: { fingerprint: 'x'.repeat(20), components: map(5_000) },
  }
  const { status, json } = await program.call('POST', '/validate', { body: validation })
  expect([status, json.error]).toEqual([422, 'device.components: Send at most 16 components.'])
})

describe('a call without a body (decision 131)', () => {
  const patches = (endpoints: readonly Endpoint[]) =>
    endpoints.filter(({ method }) => method === 'PATCH')

  test.each(walk(patches(storeChanges)))('$id is refused', async (endpoint) => {
    const { status, json } = await tradepost.call('PATCH', pathOf(endpoint.path))
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'body'])
  })

  test.each(walk(patches(securityChanges)))(
    '$id of the Client Security API is refused',
    async (endpoint) => {
      const { status, json } = await seller.call('PATCH', pathOf(endpoint.path))
      expect([status, json.error.slice(0, 6)]).toEqual([422, 'body: '])
    },
  )

  test('names {} only if it is accepted', async () => {
    const errorOf = async (path: string) => (await seller.call('PATCH', path)).json.error
    expect(await errorOf('/serverside-strings/1')).toBe(
      'body: Send the fields to change as a JSON object.',
    )
    expect(await errorOf('/apps/1')).toMatch(/ \{\} changes nothing\.$/)
  })

  test('differs from a call with {}, which is accepted and changes nothing if every field is optional', async () => {
    const created = await tradepost.post('/products', { name: 'Pen', price_cents: 100 })
    await tradepost.events()
    const { status, json } = await tradepost.patch(`/products/${created.json.product.id}`, {})
    expect([status, json.product]).toEqual([200, created.json.product])
    expect(await tradepost.events()).toEqual([])
    const { app } = (await seller.post('/apps', { name: 'Patched by nothing' })).json
    expect((await seller.patch(`/apps/${app.id}`, {})).status).toBe(200)
  })

  test('is accepted for a POST whose fields are all optional', async () => {
    expect((await seller.call('POST', '/keys')).status).toBe(201)
  })

  test('is refused if and only if the OpenAPI document marks the body as required', () => {
    const { paths } = printOpenApi(storeEndpoints, {
      serverUrl: 'http://127.0.0.1/v1',
      version: 'test',
      events: {},
    }) as Json
    const isRequired = (endpoint: Endpoint) =>
      paths[endpoint.path.replace(/:(\w+)/g, '{$1}')][endpoint.method.toLowerCase()].requestBody
        .required
    const differingEndpoints = storeChanges.filter((endpoint) => {
      if (!endpoint.body) return false
      const needsBody = endpoint.method === 'PATCH' || !endpoint.body.safeParse({}).success
      return isRequired(endpoint) !== needsBody
    })
    // Its use case refuses a missing method, because only it knows the usable ones.
    expect(differingEndpoints.map(({ id }) => id)).toEqual(['orders.start_payment'])
  })
})

test('every list and map of a request has a limit that is checked first (decision 120)', () => {
  const shapes = [...storeEndpoints, ...securityEndpoints, ...clientEndpoints].flatMap(
    (endpoint) => [
      {
        id: endpoint.id,
        shapes: [
          endpoint.params,
          endpoint.query,
          endpoint.body,
          'upload' in endpoint ? endpoint.upload?.form : undefined,
        ],
      },
    ],
  )
  const unbounded = [...shapes, { id: 'listen', shapes: [ListenerRequest] }].flatMap(
    ({ id, shapes }) =>
      shapes.flatMap((shape) => (shape && [...shapesWithin(shape)].some(isUnbounded) ? [id] : [])),
  )
  expect(unbounded).toEqual([])
  expect(
    [...shapesWithin(z.object({ a: z.array(z.int()).max(3).optional() }))].some(isUnbounded),
  ).toBe(true)
})
