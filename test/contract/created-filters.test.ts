import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { storeEndpoints } from '../../src/surfaces/store-api.ts'
import type { Answer, Json, Tradepost } from '../harness.ts'
import { openUnlimited, prepare, send } from './prepared-calls.ts'

// Every list of records with a creation time has the filters `created_from` and `created_to` (decision 44).

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openUnlimited()
})
afterAll(() => tradepost.close())

type Shape = z.ZodObject
const recordsOf = ({ shape }: Shape): [string, Shape] | undefined => {
  const [name, listShape] = Object.entries(shape).find(([, field]) => field.type === 'array') ?? []
  const record = (listShape as Json)?.element
  return name !== undefined && record?.shape ? [name, record] : undefined
}

/** The creation time of a payout is the time of its request. */
const CREATION_FIELDS = ['created_at', 'requested_at']
const LISTS = storeEndpoints.flatMap((endpoint) => {
  const [name, record] =
    ('pagination' in endpoint.response.shape && recordsOf(endpoint.response)) || []
  const createdField = CREATION_FIELDS.find((field) => record && field in record.shape)
  return name !== undefined && createdField !== undefined
    ? [{ endpoint, id: endpoint.id, name, createdField }]
    : []
})

test('more than 20 lists accept created_from and created_to', () => {
  const ids = LISTS.map(({ id }) => id)
  expect(ids).toContain('customers.list')
  expect(ids).toContain('affiliates.list_payouts')
  expect(ids.length).toBeGreaterThan(20)
})

describe.each(LISTS)('$id', ({ endpoint, name, createdField }) => {
  const list = async (query: Record<string, string> = {}): Promise<Answer> =>
    send(tradepost, endpoint, { ...input, query: { limit: '100', ...query } })
  let input: Json
  beforeAll(async () => {
    await prepare(tradepost, endpoint)
    tradepost.forward(1_000)
    input = await prepare(tradepost, endpoint)
  })

  test('returns the records from created_from on, and those before created_to', async () => {
    const all = (await list()).json
    const times: string[] = all[name].map((record: Json) => record[createdField])
    const newest = times.sort().at(-1) ?? ''
    expect(newest).toMatch(/^\d{4}-/)
    const since = (await list({ created_from: newest })).json
    const before = (await list({ created_to: newest })).json
    expect(since[name]).toEqual(all[name].filter((record: Json) => record[createdField] >= newest))
    expect(before[name]).toEqual(all[name].filter((record: Json) => record[createdField] < newest))
    expect(since.pagination.total).toBe(since[name].length)
    expect(since.pagination.total + before.pagination.total).toBe(all.pagination.total)
  })

  test.each(['created_from', 'created_to'])('names an invalid %s', async (field) => {
    const { status, json } = await list({ [field]: 'yesterday' })
    expect([status, json.code, json.details?.field]).toEqual([422, 'VALIDATION_FAILED', field])
  })
})
