import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFilesJob } from '../../src/features/licensing/files/index.ts'
import { type Form, formOf } from '../form.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { FILE_STORAGES } from './file-storages.ts'
import { createFile, newName } from './prepared-calls.ts'
import { BASE, createSeller, type Seller } from './seller.ts'

let tradepost: Tradepost
let seller: Seller

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const sha256Hex = (data: string | Buffer) => sha256(data).toString('hex')
const CONTENT_TYPE = { 'content-type': 'application/octet-stream' }

const getContent = async (path: string, headers: Record<string, string> = {}) =>
  tradepost.server.inject({
    url: `${BASE}${path}`,
    headers: { authorization: `Bearer ${seller.key}`, ...headers },
  })

describe.each(FILE_STORAGES)('on %s,', (_, storage) => {
  beforeAll(async () => {
    const env = await storage.open()
    tradepost = await openTradepost({ env: { ...env, TRADEPOST_MAX_FILE_BYTES: '20000000' } })
    seller = await createSeller(tradepost)
  })
  afterAll(async () => {
    await tradepost.close()
    await storage.close()
  })

  describe('an upload', () => {
    test('of plain bytes is stored byte for byte, with its hash', async () => {
      const bytes = randomBytes(300_000)
      const name = newName('file')
      const path = `/serverside-files?name=${name}&content_type=application/zip&filename=a.zip`
      const { status, json } = await seller.call('POST', path, {
        raw: bytes,
        headers: CONTENT_TYPE,
      })
      expect(status).toBe(201)
      expect(json.serverside_file).toMatchObject({
        object: 'serverside_file',
        name,
        filename: 'a.zip',
        content_type: 'application/zip',
        size_bytes: 300_000,
        sha256: sha256Hex(bytes),
        status: 'active',
        upload_state: 'ready',
        storage: storage.kind,
        version: 1,
      })
      expect(Object.keys(json.serverside_file)).not.toContain('blob_id')
      const content = await getContent(`/serverside-files/${json.serverside_file.id}/content`)
      expect(content.rawPayload.equals(bytes)).toBe(true)
      expect(content.headers['content-type']).toBe('application/zip')
    })

    test('as a form uses the fields of the form, and removes folders and control characters from the file name', async () => {
      const form = new FormData()
      form.append('name', newName('file'))
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

    test('accepts form fields before and after the file, and is refused with the name of an invalid field', async () => {
      const post = (form: Form) => seller.call('POST', '/serverside-files', form)
      const name = newName('file')
      const file = { bytes: Buffer.alloc(300_000, 1) }
      const withTrailingFields = (fields: Record<string, string>) =>
        formOf([file], { name }, fields)
      const refusalOf = async (form: Form) => {
        const { status, json } = await post(form)
        return [status, json.error.split(':')[0]]
      }
      expect(await refusalOf(withTrailingFields({ surprise: '1' }))).toEqual([422, 'surprise'])
      expect(await refusalOf(withTrailingFields({ min_level: 'x' }))).toEqual([422, 'min_level'])
      expect(await refusalOf(withTrailingFields({ name: 'twice' }))).toEqual([422, 'name'])
      expect(await refusalOf(formOf([file, { ...file, field: 'more' }], { name }))).toEqual([
        422,
        'more',
      ])
      const unnamedPart = formOf([file], { name })
      const raw = Buffer.from(
        unnamedPart.raw.toString('latin1').replace('name="name"', ''),
        'latin1',
      )
      const { json } = await post({ ...unnamedPart, raw })
      expect(json.error).toBe('body: Give each part of the form a name.')
      const storedFile = await expectSuccess(
        post(withTrailingFields({ min_level: '4', filename: 'b.bin' })),
      )
      expect(storedFile.serverside_file).toMatchObject({ name, min_level: 4, filename: 'b.bin' })
    })

    test('that is too large, or has a wrong digest, an invalid type or a used name, is not stored', async () => {
      const before = (await storage.listBlobs(tradepost)).length
      const post = (query: string, raw: Buffer | string, headers = {}) =>
        seller.call('POST', `/serverside-files?${query}`, {
          raw,
          headers: { ...CONTENT_TYPE, ...headers },
        })
      expect((await post('name=big', Buffer.alloc(20_000_001))).status).toBe(413)
      const digest = (text: string) => ({
        'content-digest': `sha-256=:${sha256(text).toString('base64')}:`,
      })
      expect((await post('name=digest', 'one', digest('two'))).status).toBe(422)
      expect((await post('name=digest', 'one', { 'content-digest': 'md5=:x:' })).status).toBe(422)
      expect((await post('name=bad/name', 'one')).status).toBe(422)
      expect((await seller.call('POST', '/serverside-files?name=none')).status).toBe(422)
      expect((await seller.post('/serverside-files', { name: 'json' })).status).toBe(415)
      expect((await storage.listBlobs(tradepost)).length).toBe(before)
      expect((await post('name=digest', 'two', digest('two'))).status).toBe(201)
      expect((await post('name=digest', 'three')).status).toBe(409)
      const { serverside_files } = await expectSuccess(seller.get('/serverside-files?limit=100'))
      expect(serverside_files.filter((item: Json) => item.name === 'digest')).toHaveLength(1)
    })

    test('of new content creates the next version, and is 412 with another version in If-Match', async () => {
      const file = await createFile(seller)
      const path = `/serverside-files/${file.id}/content`
      const put = (raw: string, headers = {}) =>
        seller.call('PUT', path, { raw, headers: { ...CONTENT_TYPE, ...headers } })
      expect((await put('new', { 'if-match': '"2"' })).status).toBe(412)
      const { json } = await put('new', { 'if-match': '"1"' })
      expect(json.serverside_file).toMatchObject({
        version: 2,
        sha256: sha256Hex('new'),
        name: file.name,
      })
      expect((await getContent(path)).body).toBe('new')
      expect((await getContent(path, { range: 'bytes=1-1' })).body).toBe('e')
      expect((await getContent(path, { range: 'bytes=9-' })).statusCode).toBe(416)
    })
  })

  describe('a change of a file', () => {
    const patch = (id: number, body: Json, headers = {}) =>
      seller.patch(`/serverside-files/${id}`, body, { headers })

    test('is refused with another version in If-Match, with contradictory fields, and with a used name', async () => {
      const { id, name } = await createFile(seller)
      const otherVersion = { 'if-match': '"2"' }
      expect((await patch(id, { status: 'inactive' }, otherVersion)).status).toBe(412)
      const deletion = await seller.delete(`/serverside-files/${id}`, { headers: otherVersion })
      expect(deletion.status).toBe(412)
      const contradiction = await patch(id, { access: 'public', min_level: 1 })
      expect([contradiction.status, contradiction.json.error]).toEqual([
        422,
        expect.stringMatching(/^min_level: /),
      ])
      const { serverside_file } = await expectSuccess(
        patch(id, { filename: '../.hidden/na\u202eme.txt' }),
      )
      expect(serverside_file).toMatchObject({ filename: 'hiddenname.txt', version: 2, name })
      const otherFile = await createFile(seller)
      expect((await patch(id, { name: otherFile.name })).status).toBe(409)
    })

    test('is 404 while the file is being deleted, and the file is not listed', async () => {
      const { storage } = tradepost.app
      const { remove } = storage
      const { id } = await createFile(seller)
      storage.remove = async () => {
        throw new Error('The disk does not answer.')
      }
      try {
        expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(503)
        await removeFilesJob.run(tradepost.app)
      } finally {
        storage.remove = remove
      }
      const path = `/serverside-files/${id}/content`
      const put = await seller.call('PUT', path, { raw: 'other', headers: CONTENT_TYPE })
      expect([(await patch(id, { status: 'active' })).status, put.status]).toEqual([404, 404])
      const { serverside_files } = await expectSuccess(seller.get('/serverside-files?limit=100'))
      expect(serverside_files.map((item: Json) => item.id)).not.toContain(id)
      // The next attempt to delete the file is due after a minute.
      const countRows = async () =>
        (await sql`select from serverside_file where id = ${id}`.execute(tradepost.db)).rows.length
      await removeFilesJob.run(tradepost.app)
      expect(await countRows()).toBe(1)
      tradepost.forward(61_000)
      await removeFilesJob.run(tradepost.app)
      expect(await countRows()).toBe(0)
    })
  })

  test('a read of a file whose content is missing in storage is answered with 503', async () => {
    const { id } = await createFile(seller)
    const { rows } = await sql<{ blob_id: string }>`
      select blob_id from serverside_file where id = ${id}`.execute(tradepost.db)
    await tradepost.app.storage.remove(rows[0]?.blob_id ?? '')
    expect((await getContent(`/serverside-files/${id}/content`)).statusCode).toBe(503)
  })

  describe('the deletion of a file', () => {
    test('is answered with success and message after the content was deleted, and then with 404', async () => {
      const before = (await storage.listBlobs(tradepost)).length
      const { id } = await createFile(seller)
      expect((await storage.listBlobs(tradepost)).length).toBe(before + 1)
      const first = await seller.delete(`/serverside-files/${id}`)
      expect([first.status, first.text]).toEqual([
        200,
        JSON.stringify({ success: true, message: 'The server-side file was deleted.' }),
      ])
      expect((await storage.listBlobs(tradepost)).length).toBe(before)
      expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(404)
      expect((await getContent(`/serverside-files/${id}/content`)).statusCode).toBe(404)
    })

    test('is 503 while storage fails, hides the file, and is completed by a job or a repeated call', async () => {
      const { storage } = tradepost.app
      const { remove } = storage
      const [first, second] = [await createFile(seller), await createFile(seller)]
      storage.remove = async () => {
        throw new Error('The disk does not answer.')
      }
      try {
        for (const { id } of [first, second]) {
          const { status, headers } = await seller.delete(`/serverside-files/${id}`)
          expect([status, Number(headers['retry-after'])]).toEqual([503, 1])
          expect((await seller.get(`/serverside-files/${id}`)).status).toBe(404)
          expect((await seller.delete(`/serverside-files/${id}`)).status).toBe(503)
        }
      } finally {
        storage.remove = remove
      }
      expect((await seller.delete(`/serverside-files/${first.id}`)).status).toBe(200)
      const filter = `record_id=${first.id}&action=serverside_file.delete`
      const { audit_events } = await expectSuccess(seller.get(`/audit-events?${filter}`))
      expect(audit_events).toHaveLength(1)
      tradepost.forward(120_000)
      await removeFilesJob.run(tradepost.app)
      const { rows } =
        await sql`select from serverside_file where upload_state = 'deleting'`.execute(tradepost.db)
      expect(rows).toHaveLength(0)
      expect((await seller.delete(`/serverside-files/${second.id}`)).status).toBe(404)
    })
  })
})
