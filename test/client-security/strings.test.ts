import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { createApp, createLicenseKey, createString, newName } from './prepared-calls.ts'
import { createProgram, newMachine } from './program.ts'
import { createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
})
afterAll(() => tradepost.close())

const getString = async (id: number): Promise<Json> =>
  (await expectSuccess(seller.get(`/serverside-strings/${id}`))).serverside_string

describe('a server-side string', () => {
  test('has at most 65,536 bytes, and is read unchanged', async () => {
    const longestValue = `\u00e4 ${'x'.repeat(65_532)}\n`
    const { id } = await createString(seller, { value: longestValue })
    expect(await getString(id)).toMatchObject({
      value: longestValue,
      value_bytes: 65_536,
      version: 1,
    })
    for (const value of [`${longestValue}x`, 'ä'.repeat(32_769)]) {
      const body = { name: newName('text'), value }
      for (const answer of [
        await seller.post('/serverside-strings', body),
        await seller.put(`/serverside-strings/${id}`, body),
      ]) {
        expect([answer.status, answer.json.error]).toEqual([
          422,
          'value: Write at most 65536 bytes.',
        ])
      }
    }
  })

  test('is replaced in full by its next version, except for its status', async () => {
    const { id, name } = await createString(seller, { min_level: 3, description: 'Mine.' })
    const path = `/serverside-strings/${id}`
    await expectSuccess(seller.patch(path, { status: 'inactive' }))
    await expectSuccess(seller.put(path, { name, value: 'longer' }))
    expect(await getString(id)).toMatchObject({
      value: 'longer',
      value_bytes: 6,
      status: 'inactive',
      min_level: 0,
      description: null,
      version: 3,
    })
    const contradiction = { name, value: 'v', access: 'public', min_level: 1 }
    const refused = await seller.put(path, contradiction)
    expect([refused.status, refused.json.error]).toEqual([
      422,
      expect.stringMatching(/^min_level: /),
    ])
    const otherString = await createString(seller)
    expect((await seller.put(path, { name: otherString.name, value: 'v' })).status).toBe(409)
  })

  test('is not changed or deleted by a call with another version in If-Match', async () => {
    const { id, name } = await createString(seller, { value: 'v' })
    const path = `/serverside-strings/${id}`
    const otherVersion = { headers: { 'if-match': '"2"' } }
    const answers = [
      await seller.put(path, { name, value: 'w' }, otherVersion),
      await seller.patch(path, { status: 'inactive' }, otherVersion),
      await seller.delete(path, otherVersion),
    ]
    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412])
    expect(await getString(id)).toMatchObject({ value: 'v', status: 'active', version: 1 })
    expect((await seller.delete(path, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })

  test('cannot be decrypted with the sealed value of another row or version', async () => {
    const { id, name } = await createString(seller, { value: 'first' })
    const otherString = await createString(seller, { value: 'another' })
    const selectSealedValue = async (stringId: number) =>
      (
        await sql<{ value_enc: Buffer }>`
          select value_enc from serverside_string where id = ${stringId}`.execute(tradepost.db)
      ).rows[0]?.value_enc
    const oldValue = await selectSealedValue(id)
    await expectSuccess(seller.put(`/serverside-strings/${id}`, { name, value: 'second' }))
    for (const otherValue of [oldValue, await selectSealedValue(otherString.id)]) {
      await sql`update serverside_string set value_enc = ${otherValue} where id = ${id}`.execute(
        tradepost.db,
      )
      const { status, text } = await seller.get(`/serverside-strings/${id}`)
      expect([status, text]).toEqual([500, expect.not.stringMatching(/first|another/)])
    }
  })

  test('is listed by its app, without its value', async () => {
    const { id: app_id } = await createApp(seller)
    const { id } = await createString(seller, { app_id, value: 'NOT-IN-LISTS' })
    const answer = await seller.get(`/serverside-strings?app_id=${app_id}`)
    expect(answer.json.serverside_strings.map((item: Json) => item.id)).toEqual([id])
    expect(answer.json.pagination.total).toBe(1)
    expect(answer.text).not.toContain('NOT-IN-LISTS')
  })

  test('has a fetch_count of its reads by programs', async () => {
    const app = await createProgram(tradepost, seller)
    const { id, name } = await createString(seller, { app_id: app.appId, access: 'session' })
    const { key } = await createLicenseKey(seller, { app_id: app.appId })
    const { session } = await app.start({ license_key: key, device: newMachine() })
    // Each flush adds its reads to the stored count.
    for (const times of [2, 1]) {
      for (let n = 0; n < times; n++) {
        await app.call('GET', `/strings/${name}`, { token: session.token })
      }
      await tradepost.authentication.flush()
    }
    expect(await getString(id)).toMatchObject({
      fetch_count: 3,
      last_fetched_at: expect.any(String),
    })
  })
})
