import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let owner: SignedIn

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  owner = await signedIn(tradepost)
})
afterAll(() => tradepost.close())

test('a version of a setting names the user or the API key that saved it', async () => {
  const path = `/stores/${tradepost.live.id}/security/v1/remote-settings`
  const setting = { key: 'limit', type: 'integer', value: 1 }
  const { remote_setting } = await expectSuccess(owner.post(path, setting))
  const { id } = remote_setting
  await expectSuccess(seller.patch(`/remote-settings/${id}`, { value: 2 }))
  await expectSuccess(owner.post(`${path}/${id}/rollback`, { version: 1 }))
  const { versions } = await expectSuccess(seller.get(`/remote-settings/${id}/versions`))
  const { user } = (await owner.get('/me')).json
  const byUser = { actor_key_id: null, actor_name: user.name }
  const byKey = { actor_key_id: expect.any(Number), actor_name: expect.stringMatching(/./) }
  expect(versions).toMatchObject([
    { version: 3, value: 1, ...byUser },
    { version: 2, value: 2, ...byKey },
    { version: 1, value: 1, ...byUser },
  ] satisfies Json[])
})
