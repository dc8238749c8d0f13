import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Tradepost } from '../harness.ts'
import { type Ask, faultsOfEnvelope, openWalk, pathOf, prepare, unmatchedWalks } from './walk.ts'

/** No input causes a 5xx, and each refusal has the envelope (invariants I31, I32). */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openWalk()
})
afterAll(() => tradepost.close())

const paramsOf = (e: Endpoint): string[] =>
  [...e.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** The long form tries every value at every position; the short one a third of them. */
const isLong = process.env.FUZZ_REQUESTS !== undefined
const shareOf = <T>(all: readonly T[], index: number): T[] =>
  all.filter((_, at) => isLong || at % 3 === index % 3)

test('every endpoint is walked', () => {
  expect(unmatchedWalks()).toEqual([])
})

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

describe('a hostile id in the path is no record', () => {
  test.each(storeEndpoints.filter((e) => paramsOf(e).length > 0))('$id', async (e) => {
    const own = await prepare(tradepost, e)
    for (const [index, name] of paramsOf(e).entries()) {
      for (const id of shareOf(HOSTILE_IDS, index + e.id.length)) {
        // A function, because "$" is special in a replacement string.
        const template = { ...e, path: e.path.replace(`:${name}`, () => id) }
        const answer = await tradepost.call(e.method, pathOf(template, own), { body: own.body })
        expect({ id, status: answer.status, code: answer.json?.code }).toEqual({
          id,
          status: 404,
          code: 'NOT_FOUND',
        })
        expect(faultsOfEnvelope(answer)).toEqual([])
      }
    }
  })
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
  const some = shareOf(HOSTILE_VALUES, index)
  const isTime = isLong || /_(from|to)$/.test(name)
  return [...some, ...(isTime ? HOSTILE_TIMES : []), `1&${name}=1`]
}

describe('a hostile value in the query matches literally, or is refused', () => {
  test.each(storeEndpoints.filter((e) => e.query))('$id', async (e) => {
    const own = await prepare(tradepost, e)
    const path = pathOf(e, { ...own, query: {} })
    const faults: string[] = []
    for (const [index, name] of Object.keys(e.query?.shape ?? {}).entries()) {
      for (const value of valuesOf(name, index)) {
        const answer = await tradepost.get(`${path}?${name}=${value}`)
        const { status, json } = answer
        const { field } = json.details ?? {}
        const isRefused = status === 200 || (status === 422 && field?.split('[')[0] === name)
        if (!isRefused || faultsOfEnvelope(answer).length > 0)
          faults.push(`${name}=${value.slice(0, 60)}: ${status} ${json.code} ${field ?? ''}`)
      }
    }
    expect(faults).toEqual([])
  })

  test.each(storeEndpoints.filter((e) => e.query))(
    '$id names the parameter, and nothing more, in details.field',
    async (e) => {
      const path = pathOf(e, { ...(await prepare(tradepost, e)), query: {} })
      const wrong: string[] = []
      for (const name of Object.keys(e.query?.shape ?? {})) {
        const { status, json } = await tradepost.get(`${path}?${name}=%00`)
        if (status !== 422 || json.details.field !== name)
          wrong.push(`${name}: ${status} ${json.details?.field}`)
      }
      expect(wrong).toEqual([])
    },
  )

  test.each(storeEndpoints.filter(({ method }) => method === 'GET'))(
    '$id ignores unknown fields',
    async (e) => {
      const own = await prepare(tradepost, e)
      const plain = await tradepost.get(pathOf(e, own))
      const glue = pathOf(e, own).includes('?') ? '&' : '?'
      const noise = '__proto__=1&constructor=2&unknown=%00&limit%00=3&[]=4&&=&%zz'
      const noisy = await tradepost.get(`${pathOf(e, own)}${glue}${noise}`)
      expect(noisy.status).toBe(200)
      // Counts, and the expiry of signed links, differ between calls.
      const differs = /"monthly_used":\d+|\.\d{10}\.[\w-]{43}|"expires_at":"[^"]*"/g
      const withoutCount = (text: string) => text.replace(differs, '')
      expect(withoutCount(noisy.text)).toBe(withoutCount(plain.text))
    },
  )
})

interface Raw {
  name: string
  raw: string | Buffer
  type?: string
  status: number
  code: string
}

const nested = (levels: number) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`
const json = (name: string, raw: string | Buffer): Raw => ({
  name,
  raw,
  status: 400,
  code: 'INVALID_JSON',
})
const field = (name: string, raw: string | Buffer): Raw => ({
  name,
  raw,
  status: 422,
  code: 'VALIDATION_FAILED',
})
const media = (type: string): Raw => ({
  name: `of the type ${type}`,
  raw: '{}',
  type,
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
})

const RAW: Raw[] = [
  json('cut off', '{"name":"x'),
  json('followed by more', '{} {}'),
  json('with a comma too many', '{"name":"x",}'),
  json('with a comment', '{/* */}'),
  json('with single quotes', "{'name':1}"),
  json('of a bare word', 'undefined'),
  json('of NaN', '{"name":NaN}'),
  json('of blanks', '   '),
  json('with a byte order mark', Buffer.from('\uFEFF{}')),
  json('in UTF-16', Buffer.from('{}', 'utf16le')),
  json('with bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  json('with a surrogate in its bytes', Buffer.from('7b22eda080223a317d', 'hex')),
  json('with an overlong slash', Buffer.from('7b22c0af223a317d', 'hex')),
  json('with a raw NUL', Buffer.from('{"na\0me":1}')),
  json('with a key twice', '{"name":"a","name":"b"}'),
  json('with a key twice, once escaped', '{"name":"a","n\\u0061me":"b"}'),
  json('with an inner key twice', '{"metadata":{"a":"1","a":"2"}}'),
  json('33 levels deep', nested(32)),
  json('100,000 levels deep', nested(100_000)),
  json('100,000 objects deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  field('that is null', 'null'),
  field('that is a list', '[]'),
  field('that is text', '"{}"'),
  field('that is a number', '1'),
  field('that is false', 'false'),
  field('with NUL in a text', '{"name":"a\\u0000b"}'),
  field('with a lone surrogate', '{"name":"\\ud800"}'),
  field('with a lone surrogate in a key', '{"\\udc00":1}'),
  field('with __proto__', '{"__proto__":{"admin":true}}'),
  field('with __proto__ escaped', '{"\\u005f_proto__":{}}'),
  field('with an inner constructor', '{"metadata":{"constructor":"x"}}'),
  field('with a prototype', '{"prototype":1}'),
  field('with an unknown field', '{"no_such_field":1}'),
  field('with an empty name', '{"":1}'),
  field('with a name of 100,000', `{"${'n'.repeat(100_000)}":1}`),
  field(
    'with 20,000 unknown fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n]))),
  ),
  field('with a number beyond all', '{"no_such_field":1e999}'),
  field('with a number of 100,000 digits', `{"no_such_field":${'9'.repeat(100_000)}}`),
  field('of nearly 1 MiB', `{"no_such_field":"${'x'.repeat(1024 * 1024 - 20)}"}`),
  {
    name: 'over 1 MiB',
    raw: `{"no_such_field":"${'x'.repeat(1024 * 1024)}"}`,
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  },
  media('text/plain'),
  media('application/x-www-form-urlencoded'),
  media('multipart/form-data; boundary=x'),
  media('application/json; charset=utf-16'),
  media('application/json; charset=iso-8859-1'),
  media('application/jsonp'),
  media('application/vnd.api+json'),
  media('nonsense'),
  media('/'),
]

describe('a body', () => {
  test.each(storeEndpoints.filter(({ method }) => method !== 'GET'))(
    'of $id that cannot be read is refused with the reason',
    async (e) => {
      const own = await prepare(tradepost, e)
      const path = pathOf(e, own)
      const faults: string[] = []
      for (const { name, raw, type = 'application/json', status, code } of shareOf(
        RAW,
        e.id.length,
      )) {
        // Upload endpoints report the faults of a form.
        if (e.upload && type.startsWith('multipart')) continue
        const answer = await tradepost.call(e.method, path, {
          raw,
          headers: { 'content-type': type },
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
  ])('may be sent as %s', async (type) => {
    const headers = { 'content-type': type }
    const answer = await tradepost.post('/products', { name: 'Typed', price_cents: 1 }, { headers })
    expect(answer.status).toBe(201)
  })

  test('that is missing, empty or {} is the same if no body is needed', async () => {
    const e = storeEndpoints.find(({ id }) => id === 'orders.cancel')
    if (!e) throw new Error('No orders.cancel.')
    for (const options of [{}, { raw: '' }, { raw: '{}' }]) {
      const own: Ask = await prepare(tradepost, e)
      const answer = await tradepost.call('POST', pathOf(e, own), options)
      expect(answer.status, JSON.stringify(options)).toBe(200)
      expect(answer.json.order.status).toBe('cancelled')
    }
  })
})
