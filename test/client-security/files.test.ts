import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFilesJob } from '../../src/features/serverside-files/index.ts'
import { FAKE_BUCKET, FAKE_KEY, FAKE_REGION, type FakeS3, startFakeS3 } from '../fake-s3.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { machine, type Program, programOf } from './program.ts'
import { BASE, made, type Seller, sellerAt } from './seller.ts'
import { aFile, aKey, fresh } from './walks.ts'

let shop: Tradepost
let seller: Seller
let program: Program & { appId: number }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const hex = (data: string | Buffer) => sha256(data).toString('hex')
const BARE = { 'content-type': 'application/octet-stream' }

/** Where the bytes of files lie. */
interface Place {
  kind: 'local' | 's3'
  env(): Promise<Record<string, string>>
  /** The bytes of all files there. */
  blobs(): Promise<unknown[]>
  close(): Promise<void>
}

const onDisk: Place = {
  kind: 'local',
  env: async () => ({}),
  async blobs() {
    const folder = join(shop.app.config.dataDir, 'files')
    const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return names.filter((one) => one.isFile())
  },
  close: async () => {},
}

let bucket: FakeS3
const inBucket: Place = {
  kind: 's3',
  async env() {
    bucket = await startFakeS3()
    return {
      TRADEPOST_S3_ENDPOINT: bucket.endpoint,
      TRADEPOST_S3_BUCKET: FAKE_BUCKET,
      TRADEPOST_S3_REGION: FAKE_REGION,
      TRADEPOST_S3_ACCESS_KEY_ID: FAKE_KEY.accessKeyId,
      TRADEPOST_S3_SECRET_ACCESS_KEY: FAKE_KEY.secretAccessKey,
    }
  },
  blobs: async () => [...bucket.objects.keys()],
  close: () => bucket.close(),
}

const bytesOf = async (path: string, headers: Record<string, string> = {}) =>
  shop.server.inject({
    url: `${BASE}${path}`,
    headers: { authorization: `Bearer ${seller.key}`, ...headers },
  })

describe.each([
  ['the local disk', onDisk],
  ['an S3-compatible store', inBucket],
])('on %s,', (_, place) => {
  beforeAll(async () => {
    const env = await place.env()
    shop = await openTradepost({ env: { ...env, TRADEPOST_MAX_FILE_BYTES: '20000000' } })
    seller = await sellerAt(shop)
    program = await programOf(shop, seller)
  })
  afterAll(async () => {
    await shop.close()
    await place.close()
  })

  describe('an upload', () => {
    test('as bare bytes is kept byte for byte, with its hash', async () => {
      const bytes = randomBytes(300_000)
      const name = fresh('file')
      const path = `/serverside-files?name=${name}&content_type=application/zip&filename=a.zip`
      const { status, json } = await seller.call('POST', path, { raw: bytes, headers: BARE })
      expect(status).toBe(201)
      expect(json.serverside_file).toMatchObject({
        object: 'serverside_file',
        name,
        filename: 'a.zip',
        content_type: 'application/zip',
        size_bytes: 300_000,
        sha256: hex(bytes),
        status: 'active',
        upload_state: 'ready',
        storage: place.kind,
        version: 1,
      })
      expect(Object.keys(json.serverside_file)).not.toContain('blob_id')
      const content = await bytesOf(`/serverside-files/${json.serverside_file.id}/content`)
      expect(content.rawPayload.equals(bytes)).toBe(true)
      expect(content.headers['content-type']).toBe('application/zip')
    })

    test('as a form takes its fields, and a name without its folders', async () => {
      const form = new FormData()
      form.append('name', fresh('file'))
      form.append('min_level', '3')
      form.append('file', new Blob(['hello'], { type: 'text/plain' }), '..evil\u202e.txt')
      const response = new Response(form)
      const raw = Buffer.from(await response.arrayBuffer())
      const headers = { 'content-type': response.headers.get('content-type') ?? '' }
      const { status, json } = await seller.call('POST', '/serverside-files', { raw, headers })
      expect([status, json.error]).toEqual([201, undefined])
      expect(json.serverside_file).toMatchObject({ min_level: 3, content_type: 'text/plain' })
      expect(json.serverside_file.filename).not.toMatch(/^\.|[/\\\u202e]/)
    })

    test('past the limit, with a wrong digest, under a taken name or cut off is kept nowhere', async () => {
      const before = (await place.blobs()).length
      const post = (query: string, raw: Buffer | string, headers = {}) =>
        seller.call('POST', `/serverside-files?${query}`, { raw, headers: { ...BARE, ...headers } })
      expect((await post('name=big', Buffer.alloc(20_000_001))).status).toBe(413)
      const digest = (text: string) => ({
        'content-digest': `sha-256=:${sha256(text).toString('base64')}:`,
      })
      expect((await post('name=digest', 'one', digest('two'))).status).toBe(422)
      expect((await post('name=digest', 'one', { 'content-digest': 'md5=:x:' })).status).toBe(422)
      expect((await post('name=bad/name', 'one')).status).toBe(422)
      expect((await seller.post('/serverside-files', { name: 'none' })).status).toBe(422)
      expect((await place.blobs()).length).toBe(before)
      expect((await post('name=digest', 'two', digest('two'))).status).toBe(201)
      expect((await post('name=digest', 'three')).status).toBe(409)
      const { serverside_files } = await made(seller.get('/serverside-files?limit=100'))
      expect(serverside_files.filter((one: Json) => one.name === 'digest')).toHaveLength(1)
    })

    test('of other bytes is the next version, and a stale one is 412', async () => {
      const file = await aFile(seller)
      const path = `/serverside-files/${file.id}/content`
      const put = (raw: string, headers = {}) =>
        seller.call('PUT', path, { raw, headers: { ...BARE, ...headers } })
      expect((await put('new', { 'if-match': '"2"' })).status).toBe(412)
      const { json } = await put('new', { 'if-match': '"1"' })
      expect(json.serverside_file).toMatchObject({
        version: 2,
        sha256: hex('new'),
        name: file.name,
      })
      expect((await bytesOf(path)).body).toBe('new')
      expect((await bytesOf(path, { range: 'bytes=1-1' })).body).toBe('e')
      expect((await bytesOf(path, { range: 'bytes=9-' })).statusCode).toBe(416)
    })
  })

  describe('deleting a file', () => {
    test('answers exactly success and message, once, when the bytes are gone', async () => {
      const before = (await place.blobs()).length
      const { id } = await aFile(seller)
      expect((await place.blobs()).length).toBe(before + 1)
      const first = await seller.delete(`/serverside-files/${id}`)
      expect([first.status, first.text]).toEqual([
        200,
        JSON.stringify({ success: true, message: 'The server-side file was deleted.' }),
      ])
      expect((await place.blobs()).length).toBe(before)
      expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(404)
      expect((await bytesOf(`/serverside-files/${id}/content`)).statusCode).toBe(404)
    })

    test('is 503 while storage fails; nobody sees it, and it ends by itself or by a repeat', async () => {
      const { storage } = shop.app
      const works = storage.remove
      const [one, two] = [await aFile(seller), await aFile(seller)]
      storage.remove = async () => {
        throw new Error('The disk is away.')
      }
      try {
        for (const { id } of [one, two]) {
          const { status, headers } = await seller.delete(`/serverside-files/${id}`)
          expect([status, Number(headers['retry-after'])]).toEqual([503, 1])
          expect((await seller.get(`/serverside-files/${id}`)).status).toBe(404)
          expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(503)
        }
      } finally {
        storage.remove = works
      }
      expect((await seller.delete(`/serverside-files/${one.id}`)).status).toBe(200)
      shop.forward(120_000)
      await removeFilesJob.run(shop.app)
      const { rows } =
        await sql`select from serverside_file where upload_state = 'deleting'`.execute(shop.db)
      expect(rows).toHaveLength(0)
      expect((await seller.delete(`/serverside-files/${two.id}`)).status).toBe(404)
    })
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

    test('a grant is for one version, 300 seconds, and the life of its session', async () => {
      const { grant } = (await manifest()).json
      expect((await fetch('')).status).toBe(401)
      expect((await fetch(`${grant.slice(0, -2)}xx`)).status).toBe(401)
      expect((await fetch(grant, {}, 'other')).status).toBe(404)
      const path = `/serverside-files/${file.id}/content`
      await made(seller.call('PUT', path, { raw: bytes, headers: BARE }))
      expect((await fetch(grant)).status).toBe(404)
      const next = (await manifest()).json.grant
      expect((await fetch(next, { range: 'bytes=0-0' })).status).toBe(206)
      shop.forward(301_000)
      expect((await fetch(next)).status).toBe(401)
      const last = (await manifest()).json.grant
      await program.call('DELETE', '/sessions/current', { token })
      expect((await fetch(last)).status).toBe(401)
    })
  })
})
