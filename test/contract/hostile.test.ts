import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Tradepost } from '../harness.ts'
import { IS_WHOLE, walk } from '../walks.ts'
import {
  type CallInput,
  faultsOfEnvelope,
  openUnlimited,
  pathOf,
  prepare,
  sideOf,
} from './prepared-calls.ts'

// No input causes a 5xx, and each refusal has the envelope.

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

const paramsOf = (endpoint: Endpoint): string[] =>
  [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** A whole walk sends every value at every position, the short form a third of the values. */
const selectValues = <T>(values: readonly T[], index: number): T[] =>
  values.filter((_, n) => IS_WHOLE || n % 3 === index % 3)

/** Path segments in their URL form. */
const HOSTILE_IDS = [
  '1e3',
  '0x10',
  '-1',
  '+1',
  '1.0',
  '1%20',
  '%201',
  '%00',
  '1%00',
  '%zz',
  '%',
  '%c3%28',
  '%ed%a0%80',
  '9'.repeat(16),
  '9'.repeat(20),
  '1'.repeat(600),
  'a'.repeat(600),
  encodeURIComponent('١٢٣'),
  encodeURIComponent('１２'),
  encodeURIComponent('²'),
  '..%2f',
  '..%5c',
  '.%2e%2f%2e%2e',
  encodeURIComponent("1' or '1'='1"),
  encodeURIComponent('1; drop table product; --'),
  encodeURIComponent('\u202e\u0301💥'),
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '%7B%7D',
  'ord_%00',
  'we_0000000000000000000000%0a',
  `ord_${'z'.repeat(22)}`,
]

describe('a hostile id in the path is 404', () => {
  test.each(walk(storeEndpoints.filter((endpoint) => paramsOf(endpoint).length > 0)))(
    '$id',
    async (endpoint) => {
      const preparedCall = await prepare(tradepost, endpoint)
      for (const [index, name] of paramsOf(endpoint).entries()) {
        for (const id of selectValues(HOSTILE_IDS, index + endpoint.id.length)) {
          // A function, because "$" is special in a replacement string.
          const template = { ...endpoint, path: endpoint.path.replace(`:${name}`, () => id) }
          const answer = await tradepost.call(endpoint.method, pathOf(template, preparedCall), {
            body: preparedCall.body,
            as: sideOf(tradepost, endpoint),
          })
          expect({ id, status: answer.status, code: answer.json?.code }).toEqual({
            id,
            status: 404,
            code: 'NOT_FOUND',
          })
          expect(faultsOfEnvelope(answer)).toEqual([])
        }
      }
    },
  )
})

/** Query values in their URL form, after `name=`. */
const HOSTILE_VALUES = [
  '',
  '%00',
  'a%00b',
  '%zz',
  '%',
  '%c3%28',
  '%ed%a0%80',
  '-1',
  '0',
  '1',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  '101',
  '2147483648',
  '9'.repeat(15),
  '9'.repeat(16),
  '9'.repeat(20),
  '9'.repeat(400),
  'x'.repeat(5_000),
  encodeURIComponent('💥'.repeat(90)),
  encodeURIComponent('١٢٣'),
  encodeURIComponent("'; drop table product; --"),
  encodeURIComponent('%_\\'),
  '%5C',
  'true',
  'TRUE',
  ',',
  ',,,',
  `${'paid,'.repeat(200)}paid`,
  'paid,paid,pending,active,details,variants',
  '-created_at',
  '--created_at',
  'id;select',
  '__proto__',
  'constructor',
  '%5B%5D',
  '%7B%22a%22%3A1%7D',
  `ord_${'z'.repeat(22)}`,
  `evt_${'z'.repeat(22)}`,
  `evt_${'0'.repeat(22)}`,
  `we_${'z'.repeat(22)}`,
]

const HOSTILE_TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999999Z',
  '2026-01-31T00:00:00%2B23:59',
  '2026-01-31T00:00:00-23:59',
  '2026-02-30T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T23:59:60Z',
  '2026-01-31',
  'infinity',
  'now',
]

function valuesOf(name: string, index: number): string[] {
  const values = selectValues(HOSTILE_VALUES, index)
  const isTime = IS_WHOLE || /(^|_)(from|to)$/.test(name)
  return [...values, ...(isTime ? HOSTILE_TIMES : []), `1&${name}=1`]
}

describe('a query', () => {
  const queried = storeEndpoints.filter((endpoint) => endpoint.query)
  test.each(walk(queried.filter(({ method }) => method === 'GET')))(
    'of $id with a hostile value is answered, or refused with the name of the parameter',
    async (endpoint) => {
      const preparedInput = await prepare(tradepost, endpoint)
      const path = pathOf(endpoint, { ...preparedInput, query: {} })
      const faults: string[] = []
      for (const [index, name] of Object.keys(endpoint.query?.shape ?? {}).entries()) {
        for (const value of valuesOf(name, index)) {
          const answer = await tradepost.get(`${path}?${name}=${value}`)
          const { status, json } = answer
          const { field } = json.details ?? {}
          const isExpected = status === 200 || (status === 422 && field?.split('[')[0] === name)
          if (!isExpected || faultsOfEnvelope(answer).length > 0)
            faults.push(`${name}=${value.slice(0, 60)}: ${status} ${json.code} ${field ?? ''}`)
        }
      }
      expect(faults).toEqual([])
    },
  )

  test.each(walk(queried))(
    'of $id with NUL in a value is refused with the name of the parameter in details.field',
    async (endpoint) => {
      const path = pathOf(endpoint, { ...(await prepare(tradepost, endpoint)), query: {} })
      const faults: string[] = []
      for (const name of Object.keys(endpoint.query?.shape ?? {})) {
        const { status, json } = await tradepost.call(endpoint.method, `${path}?${name}=%00`, {
          as: sideOf(tradepost, endpoint),
        })
        if (status !== 422 || json.details.field !== name)
          faults.push(`${name}: ${status} ${json.details?.field}`)
      }
      expect(faults).toEqual([])
    },
  )

  test.each(walk(storeEndpoints.filter(({ method }) => method === 'GET')))(
    'of $id with unknown parameters has the answer without them',
    async (endpoint) => {
      const preparedInput = await prepare(tradepost, endpoint)
      const plainAnswer = await tradepost.get(pathOf(endpoint, preparedInput))
      const separator = pathOf(endpoint, preparedInput).includes('?') ? '&' : '?'
      const unknownParameters = '__proto__=1&constructor=2&unknown=%00&limit%00=3&[]=4&&=&%zz'
      const answer = await tradepost.get(
        `${pathOf(endpoint, preparedInput)}${separator}${unknownParameters}`,
      )
      expect(answer.status).toBe(200)
      // The count of calls and the expiry of signed links differ between two calls.
      const volatile = /"monthly_used":\d+|\.\d{10}\.[\w-]{43}|"expires_at":"[^"]*"/g
      const withoutVolatile = (text: string) => text.replace(volatile, '')
      expect(withoutVolatile(answer.text)).toBe(withoutVolatile(plainAnswer.text))
    },
  )
})

/** A body as bytes, and the refusal that it gets. */
interface RawBody {
  name: string
  raw: string | Buffer
  type?: string
  status: number
  code: string
}

const nested = (levels: number) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`
const invalidJson = (name: string, raw: string | Buffer): RawBody => ({
  name,
  raw,
  status: 400,
  code: 'INVALID_JSON',
})
const invalidField = (name: string, raw: string | Buffer): RawBody => ({
  name,
  raw,
  status: 422,
  code: 'VALIDATION_FAILED',
})
const unsupportedType = (type: string): RawBody => ({
  name: `of the type ${type}`,
  raw: '{}',
  type,
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
})

const RAW_BODIES: RawBody[] = [
  invalidJson('cut off', '{"name":"x'),
  invalidJson('followed by more', '{} {}'),
  invalidJson('with a comma too many', '{"name":"x",}'),
  invalidJson('with a comment', '{/* */}'),
  invalidJson('with single quotes', "{'name':1}"),
  invalidJson('of a bare word', 'undefined'),
  invalidJson('of NaN', '{"name":NaN}'),
  invalidJson('of blanks', '   '),
  invalidJson('with a byte order mark', Buffer.from('\uFEFF{}')),
  invalidJson('in UTF-16', Buffer.from('{}', 'utf16le')),
  invalidJson(
    'with bytes that are not UTF-8',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  ),
  invalidJson('with a surrogate in its bytes', Buffer.from('7b22eda080223a317d', 'hex')),
  invalidJson('with an overlong slash', Buffer.from('7b22c0af223a317d', 'hex')),
  invalidJson('with a raw NUL', Buffer.from('{"na\0me":1}')),
  invalidJson('with a key twice', '{"name":"a","name":"b"}'),
  invalidJson('with a key twice, once escaped', '{"name":"a","n\\u0061me":"b"}'),
  invalidJson('with an inner key twice', '{"metadata":{"a":"1","a":"2"}}'),
  invalidJson('33 levels deep', nested(32)),
  invalidJson('100,000 levels deep', nested(100_000)),
  invalidJson('100,000 objects deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  invalidField('that is null', 'null'),
  invalidField('that is a list', '[]'),
  invalidField('that is text', '"{}"'),
  invalidField('that is a number', '1'),
  invalidField('that is false', 'false'),
  invalidField('with NUL in a text', '{"name":"a\\u0000b"}'),
  invalidField('with a lone surrogate', '{"name":"\\ud800"}'),
  invalidField('with a lone surrogate in a key', '{"\\udc00":1}'),
  invalidField('with __proto__', '{"__proto__":{"admin":true}}'),
  invalidField('with __proto__ escaped', '{"\\u005f_proto__":{}}'),
  invalidField('with an inner constructor', '{"metadata":{"constructor":"x"}}'),
  invalidField('with a prototype', '{"prototype":1}'),
  invalidField('with an unknown field', '{"no_such_field":1}'),
  invalidField('with an empty name', '{"":1}'),
  invalidField('with a name of 100,000', `{"${'n'.repeat(100_000)}":1}`),
  invalidField(
    'with 20,000 unknown fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n]))),
  ),
  invalidField('with a number beyond all', '{"no_such_field":1e999}'),
  invalidField('with a number of 100,000 digits', `{"no_such_field":${'9'.repeat(100_000)}}`),
  invalidField('of nearly 1 MiB', `{"no_such_field":"${'x'.repeat(1024 * 1024 - 20)}"}`),
  {
    name: 'over 1 MiB',
    raw: `{"no_such_field":"${'x'.repeat(1024 * 1024)}"}`,
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  },
  unsupportedType('text/plain'),
  unsupportedType('application/x-www-form-urlencoded'),
  unsupportedType('multipart/form-data; boundary=x'),
  unsupportedType('application/json; charset=utf-16'),
  unsupportedType('application/json; charset=iso-8859-1'),
  unsupportedType('application/jsonp'),
  unsupportedType('application/vnd.api+json'),
  unsupportedType('nonsense'),
  unsupportedType('/'),
]

describe('a body', () => {
  test.each(walk(storeEndpoints.filter(({ method }) => method !== 'GET')))(
    'of $id that is malformed is refused with the reason',
    async (endpoint) => {
      const preparedInput = await prepare(tradepost, endpoint)
      const path = pathOf(endpoint, preparedInput)
      const faults: string[] = []
      for (const { name, raw, type = 'application/json', status, code } of selectValues(
        RAW_BODIES,
        endpoint.id.length,
      )) {
        // Upload endpoints report the faults of a form.
        if (endpoint.upload && type.startsWith('multipart')) continue
        const answer = await tradepost.call(endpoint.method, path, {
          raw,
          headers: { 'content-type': type },
          as: sideOf(tradepost, endpoint),
        })
        const isRefused = answer.status === status && answer.json?.code === code
        if (!isRefused || faultsOfEnvelope(answer).length > 0)
          faults.push(`${name}: ${answer.status} ${answer.json?.code}, not ${status} ${code}`)
      }
      expect(faults).toEqual([])
    },
  )

  test.each([
    'application/json',
    'application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ])('is accepted with the content type %s', async (type) => {
    const headers = { 'content-type': type }
    const answer = await tradepost.post('/products', { name: 'Typed', price_cents: 1 }, { headers })
    expect(answer.status).toBe(201)
  })

  test('that is missing, empty or {} has the same effect if all its fields are optional', async () => {
    const endpoint = storeEndpoints.find(({ id }) => id === 'orders.cancel')
    if (!endpoint) throw new Error('No orders.cancel.')
    for (const options of [{}, { raw: '' }, { raw: '{}' }]) {
      const preparedInput: CallInput = await prepare(tradepost, endpoint)
      const answer = await tradepost.call('POST', pathOf(endpoint, preparedInput), options)
      expect(answer.status, JSON.stringify(options)).toBe(200)
      expect(answer.json.order.status).toBe('cancelled')
    }
  })
})
