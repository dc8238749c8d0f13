import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLicenseKey, createString } from '../../../../test/client-security/prepared-calls.ts'
import {
  createProgram,
  newMachine,
  type Program,
} from '../../../../test/client-security/program.ts'
import { createSeller, type Seller } from '../../../../test/client-security/seller.ts'
import { expectSuccess, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { addReads } from './queries/reads.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  program = await createProgram(tradepost, seller)
})
afterAll(() => tradepost.close())

test('a read that is saved late does not replace the device of a later read', async () => {
  const read = {
    ...{ store_id: 1, kind: 'string' as const, record_id: 1_000_000, key_id: 0, count: 1 },
    ...{ device_id: 2, at: '2026-11-02T00:00:00.000Z' },
  }
  await addReads(tradepost.db, [read])
  await addReads(tradepost.db, [{ ...read, device_id: 1, at: '2026-11-01T00:00:00.000Z' }])
  const { rows } = await sql`
    select device_id, reads from record_read where record_id = ${read.record_id}`.execute(
    tradepost.db,
  )
  expect(rows).toEqual([{ device_id: 2, reads: 2 }])
  await addReads(tradepost.db, [{ ...read, device_id: 3, at: '2026-11-03T00:00:00.000Z' }])
  const { rows: later } = await sql`
    select device_id from record_read where record_id = ${read.record_id}`.execute(tradepost.db)
  expect(later).toEqual([{ device_id: 3 }])
})

test('uses that a failed flush did not write are written by the next one, together with newer uses', async () => {
  const app_id = program.appId
  const { key, id: keyId } = await createLicenseKey(seller, { app_id })
  const { name, id } = await createString(seller, { app_id })
  const { session } = await program.start({ license_key: key, device: newMachine() })
  const fetchString = () => program.call('GET', `/strings/${name}`, { token: session.token })
  const readUses = async () => {
    const { serverside_string } = await expectSuccess(seller.get(`/serverside-strings/${id}`))
    const { key: license } = await expectSuccess(seller.get(`/keys/${keyId}`))
    return [serverside_string.fetch_count, license.last_validated_at !== null]
  }
  await program.validate(key)
  await fetchString()
  await fetchString()
  await sql`alter table license_key rename to renamed`.execute(tradepost.db)
  await expect(tradepost.authentication.flush()).rejects.toThrow('license_key')
  await sql`alter table renamed rename to license_key`.execute(tradepost.db)
  expect(await readUses()).toEqual([0, false])
  await fetchString()
  await tradepost.authentication.flush()
  expect(await readUses()).toEqual([3, true])
  await tradepost.authentication.flush()
  expect(await readUses()).toEqual([3, true])
})
