import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../build.ts'
import { formOf, PNG } from '../form.ts'
import { type Answer, openTradepost, type Tradepost } from '../harness.ts'

/** Repeated uploads with an `Idempotency-Key` (decision 122). */

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

let lastKey = 0
const newKey = () => `upload-${++lastKey}`

const BYTES = randomBytes(100_000)

interface Parts {
  bytes?: Buffer
  name?: string
  type?: string
  fields?: [string, string][]
}

/** A form as fetch sends it, with a new boundary each time. */
async function upload(path: string, key: string, parts: Parts = {}): Promise<Answer> {
  const { bytes = BYTES, name = 'manual.pdf', type = 'application/pdf', fields = [] } = parts
  const form = new FormData()
  for (const [field, value] of fields) form.append(field, value)
  form.append('file', new File([new Uint8Array(bytes)], name, { type }))
  const sent = new Response(form)
  const headers = {
    'content-type': sent.headers.get('content-type') ?? '',
    'idempotency-key': key,
  }
  return tradepost.call('POST', path, { raw: Buffer.from(await sent.arrayBuffer()), headers })
}

const filesOf = async (id: string) => (await tradepost.get(`/products/${id}/files`)).json.files

describe('an upload that is retried with another boundary', () => {
  test('is replayed and stored once (decision 122)', async () => {
    const { id } = await product(tradepost)
    await tradepost.events()
    const key = newKey()
    const first = await upload(`/products/${id}/files`, key)
    expect(first.status, first.text).toBe(201)
    const again = await upload(`/products/${id}/files`, key)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await filesOf(id)).toHaveLength(1)
    expect(await tradepost.events()).toEqual([])
  })

  test('is replayed for a picture too (decision 122)', async () => {
    const { id } = await product(tradepost)
    const key = newKey()
    const picture = { bytes: PNG, name: 'a.png', type: 'image/png' }
    const first = await upload(`/products/${id}/media`, key, picture)
    expect(first.status, first.text).toBe(201)
    const again = await upload(`/products/${id}/media`, key, picture)
    expect(again.text).toBe(first.text)
    expect((await tradepost.get(`/products/${id}/media`)).json.media).toHaveLength(1)
  })

  test('is replayed when its fields come in another order (decision 122)', async () => {
    const { id } = await product(tradepost)
    const key = newKey()
    const file = [{ bytes: PNG, name: 'a.png', type: 'image/png' }]
    const post = (fields: Record<string, string>, behind: Record<string, string>) => {
      const { raw, headers } = formOf(file, fields, behind)
      const keyed = { ...headers, 'idempotency-key': key }
      return tradepost.call('POST', `/products/${id}/media`, { raw, headers: keyed })
    }
    const first = await post({ kind: 'image', is_main: 'true' }, {})
    expect(first.status, first.text).toBe(201)
    const again = await post({ is_main: 'true' }, { kind: 'image' })
    expect(again.text).toBe(first.text)
  })
})

describe('an upload under a used key is IDEMPOTENCY_KEY_REUSED', () => {
  const changed = Buffer.from(BYTES)
  changed[50_000] = (changed[50_000] ?? 0) ^ 1

  test.each<[string, Parts]>([
    ['another content', { bytes: changed }],
    ['another file name', { name: 'other.pdf' }],
    ['another type', { type: 'text/plain' }],
    ['another field', { fields: [['name', 'Renamed.pdf']] }],
  ])('for %s, and stores nothing (decision 122)', async (_what, parts) => {
    const { id } = await product(tradepost)
    const key = newKey()
    expect((await upload(`/products/${id}/files`, key)).status).toBe(201)
    const answer = await upload(`/products/${id}/files`, key, parts)
    expect(answer.status, answer.text).toBe(422)
    expect(answer.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await filesOf(id)).toHaveLength(1)
  })

  test('for another value of a field (decision 122)', async () => {
    const { id } = await product(tradepost)
    const key = newKey()
    const first = await upload(`/products/${id}/media`, key, {
      bytes: PNG,
      type: 'image/png',
      fields: [['is_main', 'true']],
    })
    expect(first.status, first.text).toBe(201)
    const answer = await upload(`/products/${id}/media`, key, {
      bytes: PNG,
      type: 'image/png',
      fields: [['is_main', 'false']],
    })
    expect(answer.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})
