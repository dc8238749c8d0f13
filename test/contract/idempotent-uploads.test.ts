import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../build.ts'
import { formOf, PNG } from '../form.ts'
import { type Answer, openTradepost, type Tradepost } from '../harness.ts'

// Repeated uploads with an idempotency key (decision 122).

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

/** Sends a form as fetch does, with a new boundary each time. */
async function upload(path: string, key: string, parts: Parts = {}): Promise<Answer> {
  const { bytes = BYTES, name = 'manual.pdf', type = 'application/pdf', fields = [] } = parts
  const form = new FormData()
  for (const [field, value] of fields) form.append(field, value)
  form.append('file', new File([new Uint8Array(bytes)], name, { type }))
  const encodedForm = new Response(form)
  const headers = {
    'content-type': encodedForm.headers.get('content-type') ?? '',
    'idempotency-key': key,
  }
  return tradepost.call('POST', path, {
    raw: Buffer.from(await encodedForm.arrayBuffer()),
    headers,
  })
}

const filesOf = async (id: string) => (await tradepost.get(`/products/${id}/files`)).json.files

describe('an upload that is repeated with another boundary', () => {
  test('is replayed and stored once (decision 122)', async () => {
    const { id } = await product(tradepost)
    await tradepost.events()
    const key = newKey()
    const first = await upload(`/products/${id}/files`, key)
    expect(first.status, first.text).toBe(201)
    const repeat = await upload(`/products/${id}/files`, key)
    expect(repeat.text).toBe(first.text)
    expect(repeat.headers['idempotency-replayed']).toBe('true')
    expect(await filesOf(id)).toHaveLength(1)
    expect(await tradepost.events()).toEqual([])
  })

  test('is also replayed for a picture (decision 122)', async () => {
    const { id } = await product(tradepost)
    const key = newKey()
    const picture = { bytes: PNG, name: 'a.png', type: 'image/png' }
    const first = await upload(`/products/${id}/media`, key, picture)
    expect(first.status, first.text).toBe(201)
    const secondAnswer = await upload(`/products/${id}/media`, key, picture)
    expect(secondAnswer.text).toBe(first.text)
    expect((await tradepost.get(`/products/${id}/media`)).json.media).toHaveLength(1)
  })

  test('is replayed if its fields are in another order (decision 122)', async () => {
    const { id } = await product(tradepost)
    const key = newKey()
    const file = [{ bytes: PNG, name: 'a.png', type: 'image/png' }]
    const post = (fields: Record<string, string>, trailingFields: Record<string, string>) => {
      const { raw, headers } = formOf(file, fields, trailingFields)
      const keyed = { ...headers, 'idempotency-key': key }
      return tradepost.call('POST', `/products/${id}/media`, { raw, headers: keyed })
    }
    const first = await post({ kind: 'image', is_main: 'true' }, {})
    expect(first.status, first.text).toBe(201)
    const repeat = await post({ is_main: 'true' }, { kind: 'image' })
    expect(repeat.text).toBe(first.text)
  })
})

describe('an upload with a used idempotency key is refused', () => {
  const changedBytes = Buffer.from(BYTES)
  changedBytes[50_000] = (changedBytes[50_000] ?? 0) ^ 1

  test.each<[string, Parts]>([
    ['another content', { bytes: changedBytes }],
    ['another file name', { name: 'other.pdf' }],
    ['another type', { type: 'text/plain' }],
    ['another field', { fields: [['name', 'Renamed.pdf']] }],
  ])('for %s, and nothing is stored (decision 122)', async (_difference, parts) => {
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
