import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeBlobsJob } from '../../src/features/installation/blobs/index.ts'
import { removeFilesJob } from '../../src/features/licensing/files/index.ts'
import { type Form, formOf } from '../form.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { FILE_STORAGES } from './file-storages.ts'
import { BASE, made, type Seller, sellerAt } from './seller.ts'
import { aFile, fresh } from './walks.ts'

let tradepost: Tradepost
let seller: Seller

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const hex = (data: string | Buffer) => sha256(data).toString('hex')
const BARE = { 'content-type': 'application/octet-stream' }

const bytesOf = async (path: string, headers: Record<string, string> = {}) =>
  tradepost.server.inject({
    url: `${BASE}${path}`,
    headers: { authorization: `Bearer ${seller.key}`, ...headers },
  })

describe.each(FILE_STORAGES)('on %s,', (_, storage) => {
  beforeAll(async () => {
    const env = await storage.env()
    tradepost = await openTradepost({ env: { ...env, TRADEPOST_MAX_FILE_BYTES: '20000000' } })
    seller = await sellerAt(tradepost)
  })
  afterAll(async () => {
    await tradepost.close()
    await storage.close()
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
        storage: storage.kind,
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

    test('accepts fields of a form on both sides of the file, and names a wrong field', async () => {
      const post = (form: Form) => seller.call('POST', '/serverside-files', form)
      const name = fresh('file')
      const file = { bytes: Buffer.alloc(300_000, 1) }
      const behind = (fields: Record<string, string>) => formOf([file], { name }, fields)
      const refused = async (form: Form) => {
        const { status, json } = await post(form)
        return [status, json.error.split(':')[0]]
      }
      expect(await refused(behind({ surprise: '1' }))).toEqual([422, 'surprise'])
      expect(await refused(behind({ min_level: 'x' }))).toEqual([422, 'min_level'])
      expect(await refused(behind({ name: 'twice' }))).toEqual([422, 'name'])
      expect(await refused(formOf([file, { ...file, field: 'more' }], { name }))).toEqual([
        422,
        'more',
      ])
      const nameless = formOf([file], { name })
      const raw = Buffer.from(
        String(nameless.raw.toString('latin1')).replace('name="name"', ''),
        'latin1',
      )
      const { json } = await post({ ...nameless, raw })
      expect(json.error).toBe('Give each part of the form a name.')
      const kept = await made(post(behind({ min_level: '4', filename: 'b.bin' })))
      expect(kept.serverside_file).toMatchObject({ name, min_level: 4, filename: 'b.bin' })
    })

    test('that is too large, has a wrong digest, a used name or is aborted is not stored', async () => {
      const before = (await storage.blobs(tradepost)).length
      const post = (query: string, raw: Buffer | string, headers = {}) =>
        seller.call('POST', `/serverside-files?${query}`, { raw, headers: { ...BARE, ...headers } })
      expect((await post('name=big', Buffer.alloc(20_000_001))).status).toBe(413)
      const digest = (text: string) => ({
        'content-digest': `sha-256=:${sha256(text).toString('base64')}:`,
      })
      expect((await post('name=digest', 'one', digest('two'))).status).toBe(422)
      expect((await post('name=digest', 'one', { 'content-digest': 'md5=:x:' })).status).toBe(422)
      expect((await post('name=bad/name', 'one')).status).toBe(422)
      expect((await seller.call('POST', '/serverside-files?name=none')).status).toBe(422)
      expect((await seller.post('/serverside-files', { name: 'json' })).status).toBe(415)
      expect((await storage.blobs(tradepost)).length).toBe(before)
      expect((await post('name=digest', 'two', digest('two'))).status).toBe(201)
      expect((await post('name=digest', 'three')).status).toBe(409)
      const { serverside_files } = await made(seller.get('/serverside-files?limit=100'))
      expect(serverside_files.filter((item: Json) => item.name === 'digest')).toHaveLength(1)
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

  describe('a change of a file', () => {
    const patch = (id: number, body: Json, headers = {}) =>
      seller.patch(`/serverside-files/${id}`, body, { headers })

    test('requires the current version, if one is sent, and keeps the fields consistent', async () => {
      const { id, name } = await aFile(seller)
      const stale = { 'if-match': '"2"' }
      expect((await patch(id, { status: 'inactive' }, stale)).status).toBe(412)
      const gone = await seller.delete(`/serverside-files/${id}`, { headers: stale })
      expect(gone.status).toBe(412)
      const wrong = await patch(id, { access: 'public', min_level: 1 })
      expect([wrong.status, wrong.json.error]).toEqual([422, expect.stringMatching(/^min_level: /)])
      const { serverside_file } = await made(patch(id, { filename: '../.hidden/na\u202eme.txt' }))
      expect(serverside_file).toMatchObject({ filename: 'hiddenname.txt', version: 2, name })
      const other = await aFile(seller)
      expect((await patch(id, { name: other.name })).status).toBe(409)
    })

    test('of its bytes deletes the old ones', async () => {
      await removeBlobsJob.run(tradepost.app)
      const before = (await storage.blobs(tradepost)).length
      const { id } = await aFile(seller)
      const path = `/serverside-files/${id}/content`
      await made(seller.call('PUT', path, { raw: 'other', headers: BARE }))
      await removeBlobsJob.run(tradepost.app)
      expect((await storage.blobs(tradepost)).length).toBe(before + 1)
      expect((await bytesOf(path)).body).toBe('other')
    })

    test('is refused for a file that is being deleted, which no list shows', async () => {
      const { storage } = tradepost.app
      const works = storage.remove
      const { id } = await aFile(seller)
      storage.remove = async () => {
        throw new Error('The disk is away.')
      }
      try {
        expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(503)
        await removeFilesJob.run(tradepost.app)
      } finally {
        storage.remove = works
      }
      const path = `/serverside-files/${id}/content`
      const put = await seller.call('PUT', path, { raw: 'other', headers: BARE })
      expect([(await patch(id, { status: 'active' })).status, put.status]).toEqual([404, 404])
      const { serverside_files } = await made(seller.get('/serverside-files?limit=100'))
      expect(serverside_files.map((item: Json) => item.id)).not.toContain(id)
      // Its next attempt is due in a minute, and no sooner.
      const leaving = async () =>
        (await sql`select from serverside_file where id = ${id}`.execute(tradepost.db)).rows.length
      await removeFilesJob.run(tradepost.app)
      expect(await leaving()).toBe(1)
      tradepost.forward(61_000)
      await removeFilesJob.run(tradepost.app)
      expect(await leaving()).toBe(0)
    })

    test('that storage lost is 503, and not an empty file', async () => {
      const { id } = await aFile(seller)
      const { rows } = await sql<{ blob_id: string }>`
        select blob_id from serverside_file where id = ${id}`.execute(tradepost.db)
      await tradepost.app.storage.remove(rows[0]?.blob_id ?? '')
      expect((await bytesOf(`/serverside-files/${id}/content`)).statusCode).toBe(503)
    })
  })

  describe('deleting a file', () => {
    test('answers exactly success and message, once, when the bytes are gone', async () => {
      const before = (await storage.blobs(tradepost)).length
      const { id } = await aFile(seller)
      expect((await storage.blobs(tradepost)).length).toBe(before + 1)
      const first = await seller.delete(`/serverside-files/${id}`)
      expect([first.status, first.text]).toEqual([
        200,
        JSON.stringify({ success: true, message: 'The server-side file was deleted.' }),
      ])
      expect((await storage.blobs(tradepost)).length).toBe(before)
      expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(404)
      expect((await bytesOf(`/serverside-files/${id}/content`)).statusCode).toBe(404)
    })

    test('is 503 while storage fails; the file is hidden, and a job or a repeat completes it', async () => {
      const { storage } = tradepost.app
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
      const deletes = `record_id=${one.id}&action=serverside_file.delete`
      const { audit_events } = await made(seller.get(`/audit-events?${deletes}`))
      expect(audit_events).toHaveLength(1)
      tradepost.forward(120_000)
      await removeFilesJob.run(tradepost.app)
      const { rows } =
        await sql`select from serverside_file where upload_state = 'deleting'`.execute(tradepost.db)
      expect(rows).toHaveLength(0)
      expect((await seller.delete(`/serverside-files/${two.id}`)).status).toBe(404)
    })
  })
})
