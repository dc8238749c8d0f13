import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, programOf } from './program.ts'
import { made, type Seller, sellerAt } from './seller.ts'
import { aKey, anApp, aString, fresh } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

beforeAll(async () => {
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
})
afterAll(() => tradepost.close())

const get = async (id: number): Promise<Json> =>
  (await made(seller.get(`/serverside-strings/${id}`))).serverside_string

describe('a server-side string', () => {
  test('has 65,536 bytes at most, and every one of them comes back', async () => {
    const most = `\u00e4 ${'x'.repeat(65_532)}\n`
    const { id } = await aString(seller, { value: most })
    expect(await get(id)).toMatchObject({ value: most, value_bytes: 65_536, version: 1 })
    for (const value of [`${most}x`, 'ä'.repeat(32_769)]) {
      const body = { name: fresh('text'), value }
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

  test('is replaced in full, except for its status, as its next version', async () => {
    const { id, name } = await aString(seller, { min_level: 3, description: 'Mine.' })
    const path = `/serverside-strings/${id}`
    await made(seller.patch(path, { status: 'inactive' }))
    await made(seller.put(path, { name, value: 'longer' }))
    expect(await get(id)).toMatchObject({
      value: 'longer',
      value_bytes: 6,
      status: 'inactive',
      min_level: 0,
      description: null,
      version: 3,
    })
    const open = { name, value: 'v', access: 'public', min_level: 1 }
    const refused = await seller.put(path, open)
    expect([refused.status, refused.json.error]).toEqual([
      422,
      expect.stringMatching(/^min_level: /),
    ])
    const other = await aString(seller)
    expect((await seller.put(path, { name: other.name, value: 'v' })).status).toBe(409)
  })

  test('is changed only in the version that its caller names, if it names one', async () => {
    const { id, name } = await aString(seller)
    const path = `/serverside-strings/${id}`
    const stale = { headers: { 'if-match': '"2"' } }
    const answers = [
      await seller.put(path, { name, value: 'w' }, stale),
      await seller.patch(path, { status: 'inactive' }, stale),
      await seller.delete(path, stale),
    ]
    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412])
    expect(await get(id)).toMatchObject({ value: 'v', status: 'active', version: 1 })
    expect((await seller.delete(path, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })

  test('opens in its own row and version only', async () => {
    const { id, name } = await aString(seller, { value: 'first' })
    const other = await aString(seller, { value: 'another' })
    const sealed = async (of: number) =>
      (
        await sql<{ value_enc: Buffer }>`
          select value_enc from serverside_string where id = ${of}`.execute(tradepost.db)
      ).rows[0]?.value_enc
    const old = await sealed(id)
    await made(seller.put(`/serverside-strings/${id}`, { name, value: 'second' }))
    for (const moved of [old, await sealed(other.id)]) {
      await sql`update serverside_string set value_enc = ${moved} where id = ${id}`.execute(
        tradepost.db,
      )
      const { status, text } = await seller.get(`/serverside-strings/${id}`)
      expect([status, text]).toEqual([500, expect.not.stringMatching(/first|another/)])
    }
  })

  test('is listed by its app, without its value', async () => {
    const { id: app_id } = await anApp(seller)
    const { id } = await aString(seller, { app_id, value: 'NOT-IN-LISTS' })
    const answer = await seller.get(`/serverside-strings?app_id=${app_id}`)
    expect(answer.json.serverside_strings.map((item: Json) => item.id)).toEqual([id])
    expect(answer.json.pagination.total).toBe(1)
    expect(answer.text).not.toContain('NOT-IN-LISTS')
  })

  test('counts the reads of programs, repeatedly', async () => {
    const app = await programOf(tradepost, seller)
    const { id, name } = await aString(seller, { app_id: app.appId, access: 'session' })
    const { key } = await aKey(seller, { app_id: app.appId })
    const { session } = await app.start({ license_key: key, device: machine() })
    for (const times of [2, 1]) {
      for (let n = 0; n < times; n++) {
        await app.call('GET', `/strings/${name}`, { token: session.token })
      }
      await tradepost.authentication.flush()
    }
    expect(await get(id)).toMatchObject({ fetch_count: 3, last_fetched_at: expect.any(String) })
  })
})
