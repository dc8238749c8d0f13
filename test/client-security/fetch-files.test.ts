import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { FILE_STORAGES } from './file-storages.ts'
import { createFile, createLicenseKey } from './prepared-calls.ts'
import { createProgram, newMachine, type Program } from './program.ts'
import { createSeller, type Seller, withoutId } from './seller.ts'

let tradepost: Tradepost
let seller: Seller
let program: Program & { appId: number }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const sha256Hex = (data: string | Buffer) => sha256(data).toString('hex')
const CONTENT_TYPE = { 'content-type': 'application/octet-stream' }

describe.each(FILE_STORAGES)('on %s,', (_, storage) => {
  beforeAll(async () => {
    const env = await storage.open()
    tradepost = await openTradepost({ env: { ...env, TRADEPOST_MAX_FILE_BYTES: '20000000' } })
    seller = await createSeller(tradepost)
    program = await createProgram(tradepost, seller)
  })
  afterAll(async () => {
    await tradepost.close()
    await storage.close()
  })

  describe('a client program fetches a file', () => {
    const bytes = randomBytes(9 * 1024 * 1024)
    let token: string
    let file: Json

    beforeAll(async () => {
      file = await createFile(seller, { app_id: String(program.appId) }, bytes)
      const { key } = await createLicenseKey(seller, { app_id: program.appId })
      token = (await program.start({ license_key: key, device: newMachine() })).session.token
    })

    const getManifest = async (name = file.name) => program.call('GET', `/files/${name}`, { token })
    const fetchContent = (grant: string, headers = {}, name = file.name) =>
      program.call('GET', `/files/${name}/content?grant=${grant}`, { headers })

    test('with the grant of its manifest, whole or in ranges of at most 8 MiB', async () => {
      const { json } = await getManifest()
      expect(json).toEqual({
        success: true,
        file: {
          name: file.name,
          version: 1,
          size_bytes: bytes.length,
          sha256: sha256Hex(bytes),
          content_type: 'application/octet-stream',
        },
        grant: expect.any(String),
        grant_expires_at: expect.any(String),
      })
      const whole = await fetchContent(json.grant)
      expect([whole.status, whole.headers['content-length']]).toEqual([200, String(bytes.length)])
      const part = await fetchContent(json.grant, { range: 'bytes=5-9' })
      expect([part.status, part.headers['content-range']]).toEqual([
        206,
        `bytes 5-9/${bytes.length}`,
      ])
      const longPart = await fetchContent(json.grant, { range: 'bytes=0-' })
      expect(longPart.headers['content-length']).toBe(String(8 * 1024 * 1024))
      expect((await fetchContent(json.grant, { range: 'bytes=0-1,4-5' })).status).toBe(200)
      const partAfterEnd = await fetchContent(json.grant, { range: `bytes=${bytes.length}-` })
      expect([partAfterEnd.status, partAfterEnd.headers['content-range']]).toEqual([
        416,
        `bytes */${bytes.length}`,
      ])
    })

    test('only while the file is active, and only if it is in the app and not above the level of its license', async () => {
      const app_id = String(program.appId)
      const { key, id } = await createLicenseKey(seller, { app_id: program.appId, level: 5 })
      const otherToken = (await program.start({ license_key: key, device: newMachine() })).session
        .token
      const getManifestOf = (name: string) =>
        program.call('GET', `/files/${name}`, { token: otherToken })
      const allowedFile = await createFile(seller, { app_id, min_level: '5' })
      const fileOfHigherLevel = await createFile(seller, { app_id, min_level: '6' })
      const inactiveFile = await createFile(seller, { app_id, status: 'inactive' })
      const fileOfOtherApp = await createFile(seller)
      const refusals = await Promise.all(
        [fileOfHigherLevel, inactiveFile, fileOfOtherApp].map((item) => getManifestOf(item.name)),
      )
      expect(refusals.map((item) => item.status)).toEqual([404, 404, 404])
      expect(new Set(refusals.map(withoutId)).size).toBe(1)
      const { grant } = (await getManifestOf(allowedFile.name)).json
      expect((await fetchContent(grant, {}, allowedFile.name)).status).toBe(200)
      expect((await fetchContent(grant, {}, allowedFile.name)).status).toBe(200)
      await tradepost.authentication.flush()
      const storedFile = (await expectSuccess(seller.get(`/serverside-files/${allowedFile.id}`)))
        .serverside_file
      expect(storedFile).toMatchObject({
        download_count: 2,
        last_downloaded_at: expect.any(String),
      })
      await expectSuccess(seller.patch(`/keys/${id}`, { level: 4 }))
      expect((await fetchContent(grant, {}, allowedFile.name)).status).toBe(404)
      await expectSuccess(seller.patch(`/keys/${id}`, { level: 5 }))
      expect((await fetchContent(grant, {}, allowedFile.name)).status).toBe(200)
      await expectSuccess(
        seller.patch(`/serverside-files/${allowedFile.id}`, { status: 'inactive' }),
      )
      expect((await fetchContent(grant, {}, allowedFile.name)).status).toBe(404)
    })

    test('unless the file is being deleted', async () => {
      const deletedFile = await createFile(seller, { app_id: String(program.appId) })
      const { grant } = (await getManifest(deletedFile.name)).json
      const { storage } = tradepost.app
      const { remove } = storage
      storage.remove = async () => {
        throw new Error('The disk does not answer.')
      }
      try {
        expect((await seller.delete(`/serverside-files/${deletedFile.id}`)).status).toBe(503)
      } finally {
        storage.remove = remove
      }
      expect((await getManifest(deletedFile.name)).status).toBe(404)
      expect((await fetchContent(grant, {}, deletedFile.name)).status).toBe(404)
    })

    test('only with a grant for the current version that is not older than 300 seconds, and during its session', async () => {
      const { grant } = (await getManifest()).json
      expect((await fetchContent('')).status).toBe(401)
      expect(
        (await fetchContent(`${grant.slice(0, -2)}${grant.endsWith('xx') ? 'yy' : 'xx'}`)).status,
      ).toBe(401)
      expect((await fetchContent(grant, {}, 'other')).status).toBe(404)
      const path = `/serverside-files/${file.id}/content`
      await expectSuccess(seller.call('PUT', path, { raw: bytes, headers: CONTENT_TYPE }))
      expect((await fetchContent(grant)).status).toBe(404)
      const newGrant = (await getManifest()).json.grant
      expect((await fetchContent(newGrant, { range: 'bytes=0-0' })).status).toBe(206)
      tradepost.forward(301_000)
      expect((await fetchContent(newGrant)).status).toBe(401)
      const lastGrant = (await getManifest()).json.grant
      await program.call('DELETE', '/sessions/current', { token })
      expect((await fetchContent(lastGrant)).status).toBe(401)
    })
  })
})
