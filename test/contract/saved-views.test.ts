import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

let tradepost: Tradepost
let owner: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openTradepost()
  owner = await signedIn(tradepost)
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const VIEW = { page: 'orders', name: 'To refund', query: 'status=paid&refund_status=none' }

test('a saved view belongs to its user and store, and a user of any role can save one', async () => {
  const viewer = await signedIn(tradepost, 'viewer')
  const created = await viewer.post(`${base}/saved-views`, VIEW)
  expect(created.status).toBe(201)
  const { id } = created.json.saved_view
  expect(created.json.saved_view).toMatchObject(VIEW)
  const path = `${base}/saved-views/${id}`
  const renamed = await viewer.patch(path, { name: 'Refunds' })
  expect(renamed.json.saved_view).toMatchObject({ ...VIEW, name: 'Refunds' })
  expect((await viewer.get(`${base}/saved-views?page=orders`)).json.saved_views).toEqual([
    renamed.json.saved_view,
  ])
  expect((await viewer.get(`${base}/saved-views?page=products`)).json.saved_views).toEqual([])
  expect((await owner.get(`${base}/saved-views`)).json.saved_views).toEqual([])
  expect((await owner.patch(path, { name: 'Mine' })).json.code).toBe('NOT_FOUND')
  expect((await owner.delete(path)).json.code).toBe('NOT_FOUND')
  const pathAtTestSide = `/stores/${tradepost.test.id}/saved-views/${id}`
  expect((await viewer.delete(pathAtTestSide)).json.code).toBe('NOT_FOUND')
  expect((await viewer.delete(path)).json).toEqual({ success: true, id, deleted: true })
})

test('a saved view is refused with an invalid field, and if the user has 50 in the store', async () => {
  const refusedField = async (body: Json) =>
    (await owner.post(`${base}/saved-views`, body)).json.details?.field
  expect(await refusedField({ ...VIEW, page: '../x' })).toBe('page')
  expect(await refusedField({ ...VIEW, name: '' })).toBe('name')
  expect(await refusedField({ ...VIEW, query: 'a b' })).toBe('query')
  for (let n = 0; n < 50; n++) {
    expect((await owner.post(`${base}/saved-views`, VIEW)).status).toBe(201)
  }
  expect((await owner.post(`${base}/saved-views`, VIEW)).json.code).toBe('INVALID_STATE')
})
