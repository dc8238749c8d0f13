import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { FILE_STORAGES } from './file-storages.ts'
import { machine, type Program, programOf } from './program.ts'
import { made, type Seller, sellerAt, withoutId } from './seller.ts'
import { aFile, aKey } from './walks.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const hex = (data: string | Buffer) => sha256(data).toString('hex')
const BARE = { 'content-type': 'application/octet-stream' }

describe.each(FILE_STORAGES)('on %s,', (_, storage) => {
  beforeAll(async () => {
    const env = await storage.env()
    tradepost = await openTradepost({ env: { ...env, TRADEPOST_MAX_FILE_BYTES: '20000000' } })
    seller = await sellerAt(tradepost)
    program = await programOf(tradepost, seller)
  })
  afterAll(async () => {
    await tradepost.close()
    await storage.close()
  })

  describe('R8, a program fetches a file', () => {
    const bytes = randomBytes(9 * 1024 * 1024)
    let token: string
    let file: Json

    beforeAll(async () => {
      file = await aFile(seller, { app_id: String(program.appId) }, bytes as unknown as string)
      const { key } = await aKey(seller, { app_id: program.appId })
      token = (await program.start({ license_key: key, device: machine() })).session.token
    })

    const manifest = async (name = file.name) => program.call('GET', `/files/${name}`, { token })
    const fetch = (grant: string, headers = {}, name = file.name) =>
      program.call('GET', `/files/${name}/content?grant=${grant}`, { headers })

    test('by a manifest and a grant, whole or in signed ranges', async () => {
      const { json } = await manifest()
      expect(json).toEqual({
        success: true,
        file: {
          name: file.name,
          version: 1,
          size_bytes: bytes.length,
          sha256: hex(bytes),
          content_type: 'application/octet-stream',
        },
        grant: expect.any(String),
        grant_expires_at: expect.any(String),
      })
      const whole = await fetch(json.grant)
      expect([whole.status, whole.headers['content-length']]).toEqual([200, String(bytes.length)])
      const part = await fetch(json.grant, { range: 'bytes=5-9' })
      expect([part.status, part.headers['content-range']]).toEqual([
        206,
        `bytes 5-9/${bytes.length}`,
      ])
      const long = await fetch(json.grant, { range: 'bytes=0-' })
      expect(long.headers['content-length']).toBe(String(8 * 1024 * 1024))
      expect((await fetch(json.grant, { range: 'bytes=0-1,4-5' })).status).toBe(200)
      const past = await fetch(json.grant, { range: `bytes=${bytes.length}-` })
      expect([past.status, past.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`])
    })

    test('that it may read, and only while it may', async () => {
      const app_id = String(program.appId)
      const { key, id } = await aKey(seller, { app_id: program.appId, level: 5 })
      const own = (await program.start({ license_key: key, device: machine() })).session.token
      const show = (name: string) => program.call('GET', `/files/${name}`, { token: own })
      const mine = await aFile(seller, { app_id, min_level: '5' })
      const above = await aFile(seller, { app_id, min_level: '6' })
      const off = await aFile(seller, { app_id, status: 'inactive' })
      const elsewhere = await aFile(seller)
      const hidden = await Promise.all([above, off, elsewhere].map((item) => show(item.name)))
      expect(hidden.map((item) => item.status)).toEqual([404, 404, 404])
      expect(new Set(hidden.map(withoutId)).size).toBe(1)
      const { grant } = (await show(mine.name)).json
      expect((await fetch(grant, {}, mine.name)).status).toBe(200)
      expect((await fetch(grant, {}, mine.name)).status).toBe(200)
      await tradepost.authentication.flush()
      const row = (await made(seller.get(`/serverside-files/${mine.id}`))).serverside_file
      expect(row).toMatchObject({ download_count: 2, last_downloaded_at: expect.any(String) })
      await made(seller.patch(`/keys/${id}`, { level: 4 }))
      expect((await fetch(grant, {}, mine.name)).status).toBe(404)
      await made(seller.patch(`/keys/${id}`, { level: 5 }))
      expect((await fetch(grant, {}, mine.name)).status).toBe(200)
      await made(seller.patch(`/serverside-files/${mine.id}`, { status: 'inactive' }))
      expect((await fetch(grant, {}, mine.name)).status).toBe(404)
    })

    test('but not if it is being deleted, by name or by grant', async () => {
      const leaving = await aFile(seller, { app_id: String(program.appId) })
      const { grant } = (await manifest(leaving.name)).json
      const { storage } = tradepost.app
      const works = storage.remove
      storage.remove = async () => {
        throw new Error('The disk is away.')
      }
      try {
        expect((await seller.delete(`/serverside-files/${leaving.id}`)).status).toBe(503)
      } finally {
        storage.remove = works
      }
      expect((await manifest(leaving.name)).status).toBe(404)
      expect((await fetch(grant, {}, leaving.name)).status).toBe(404)
    })

    test('a grant is for one version, 300 seconds, and the life of its session', async () => {
      const { grant } = (await manifest()).json
      expect((await fetch('')).status).toBe(401)
      expect(
        (await fetch(`${grant.slice(0, -2)}${grant.endsWith('xx') ? 'yy' : 'xx'}`)).status,
      ).toBe(401)
      expect((await fetch(grant, {}, 'other')).status).toBe(404)
      const path = `/serverside-files/${file.id}/content`
      await made(seller.call('PUT', path, { raw: bytes, headers: BARE }))
      expect((await fetch(grant)).status).toBe(404)
      const next = (await manifest()).json.grant
      expect((await fetch(next, { range: 'bytes=0-0' })).status).toBe(206)
      tradepost.forward(301_000)
      expect((await fetch(next)).status).toBe(401)
      const last = (await manifest()).json.grant
      await program.call('DELETE', '/sessions/current', { token })
      expect((await fetch(last)).status).toBe(401)
    })
  })
})
