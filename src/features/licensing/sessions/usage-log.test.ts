import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machine, type Program, programOf } from '../../../../test/client-security/program.ts'
import { made, type Seller, sellerAt } from '../../../../test/client-security/seller.ts'
import { aKey, aString } from '../../../../test/client-security/walks.ts'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  program = await programOf(tradepost, seller)
})
afterAll(() => tradepost.close())

test('uses that could not be written are written with the next flush, together with newer ones', async () => {
  const app_id = program.appId
  const { key, id: keyId } = await aKey(seller, { app_id })
  const { name, id } = await aString(seller, { app_id })
  const { session } = await program.start({ license_key: key, device: machine() })
  const fetch = () => program.call('GET', `/strings/${name}`, { token: session.token })
  const seen = async () => {
    const { serverside_string } = await made(seller.get(`/serverside-strings/${id}`))
    const { key: license } = await made(seller.get(`/keys/${keyId}`))
    return [serverside_string.fetch_count, license.last_validated_at !== null]
  }
  await program.validate(key)
  await fetch()
  await fetch()
  await sql`alter table license_key rename to away`.execute(tradepost.db)
  await expect(tradepost.authentication.flush()).rejects.toThrow('license_key')
  await sql`alter table away rename to license_key`.execute(tradepost.db)
  expect(await seen()).toEqual([0, false])
  await fetch()
  await tradepost.authentication.flush()
  expect(await seen()).toEqual([3, true])
  await tradepost.authentication.flush()
  expect(await seen()).toEqual([3, true])
})
