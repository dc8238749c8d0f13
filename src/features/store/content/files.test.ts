import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import { formOf } from '../../../../test/form.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { attachment, fileNameOf } from '../../../kernel/file-name.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { removeBlobsJob } from '../../installation/blobs/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const BYTES = randomBytes(300_000)

async function uploadFile(id: string, file: Json = {}, fields = {}, as = tradepost.live) {
  const form = formOf(
    [{ bytes: BYTES, name: 'manual.pdf', type: 'application/pdf', ...file }],
    fields,
  )
  return tradepost.post(`/products/${id}/files`, undefined, { ...form, as })
}

async function storedPaths(): Promise<string[]> {
  const folder = join(tradepost.app.config.dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name))
}

const download = (url: string, headers = {}) =>
  tradepost.server.inject({ url: new URL(url).pathname, headers })

describe('a file', () => {
  test('is downloaded byte for byte from its link, with its checksum and its name', async () => {
    const { id } = await product(tradepost)
    const { status, json } = await uploadFile(id)
    expect(status).toBe(201)
    const sha256 = createHash('sha256').update(BYTES).digest('hex')
    expect(json.file).toEqual({
      id: expect.any(Number),
      object: 'product_file',
      variant_id: null,
      name: 'manual.pdf',
      size_bytes: BYTES.length,
      mime_type: 'application/pdf',
      sha256,
      download_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/files\/[\w.-]+$/),
      created_at: expect.any(String),
    })
    const whole = await download(json.file.download_url)
    expect(whole.statusCode).toBe(200)
    expect(whole.rawPayload.equals(BYTES)).toBe(true)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(BYTES.length),
      'content-disposition': `attachment; filename="manual.pdf"; filename*=UTF-8''manual.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    })
    const { files } = (await tradepost.get(`/products/${id}/files`)).json
    expect(files).toMatchObject([{ ...json.file, download_url: expect.any(String) }])
  })

  test('is not copied to a duplicate of its product', async () => {
    const { id } = await product(tradepost)
    await uploadFile(id)
    const duplicate = await expectSuccess(tradepost.post(`/products/${id}/duplicate`))
    const { json } = await tradepost.get(`/products/${duplicate.product.id}/files`)
    expect(json.files).toEqual([])
  })

  test('is sent in ranges, and answers 304 if the caller has the same bytes', async () => {
    const { id } = await product(tradepost)
    const { download_url, sha256 } = (await uploadFile(id)).json.file
    const partialDownload = await download(download_url, { range: 'bytes=100-199' })
    expect(partialDownload.statusCode).toBe(206)
    expect(partialDownload.rawPayload.equals(BYTES.subarray(100, 200))).toBe(true)
    expect(partialDownload.headers).toMatchObject({
      'content-range': `bytes 100-199/${BYTES.length}`,
      'content-length': '100',
    })
    const beyond = await download(download_url, { range: `bytes=${BYTES.length}-` })
    expect(beyond.statusCode).toBe(416)
    expect(beyond.headers['content-range']).toBe(`bytes */${BYTES.length}`)
    const conditionalDownload = await download(download_url, { 'if-none-match': `"${sha256}"` })
    expect([conditionalDownload.statusCode, conditionalDownload.body]).toEqual([304, ''])
  })

  test("has a link that expires after 15 minutes by the store's clock, and is valid for no other file", async () => {
    const { id } = await product(tradepost)
    const { download_url } = (await uploadFile(id)).json.file
    tradepost.forward(15 * MINUTE_MS - 60_000)
    expect((await download(download_url)).statusCode).toBe(200)
    tradepost.forward(60_000)
    expect((await download(download_url)).statusCode).toBe(404)
    const [listedFile] = (await tradepost.get(`/products/${id}/files`)).json.files
    expect((await download(listedFile.download_url)).statusCode).toBe(200)
    const link = new URL(listedFile.download_url).pathname
    for (const changedLink of [
      link.replace(/-(\d+)\./, (_, fileId) => `-${Number(fileId) + 1}.`),
      link.replace(/\.(\d+)\./, (_, expiry_s) => `.${Number(expiry_s) + 900}.`),
      `${link}x`,
      '/files/x',
      '/files/..%2F..%2Fetc%2Fpasswd',
    ]) {
      expect((await tradepost.server.inject({ url: changedLink })).statusCode, changedLink).toBe(
        404,
      )
    }
  })

  test('has at least one byte', async () => {
    const { id } = await product(tradepost)
    const { status, json } = await uploadFile(id, { bytes: Buffer.alloc(0) })
    expect([status, json.details.field]).toEqual([422, 'file'])
    expect((await tradepost.get(`/products/${id}/files`)).json.files).toEqual([])
  })

  test('beyond the 100 files of a product is refused', async () => {
    const { id } = await product(tradepost)
    for (let n = 0; n < 100; n++) expect((await uploadFile(id)).status).toBe(201)
    const { status, json } = await uploadFile(id)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'name'])
  })

  test('may be sent as base64 in a JSON body, and may belong to a variant', async () => {
    const { id, variantId } = await product(tradepost)
    const body = { name: 'hello.txt', content_base64: 'SGVsbG8h', variant_id: variantId }
    const { status, json } = await tradepost.post(`/products/${id}/files`, body)
    expect(status).toBe(201)
    expect(json.file).toMatchObject({
      name: 'hello.txt',
      size_bytes: 6,
      mime_type: 'application/octet-stream',
      variant_id: variantId,
    })
    expect((await download(json.file.download_url)).body).toBe('Hello!')
    const variantFile = await uploadFile(
      id,
      {},
      { variant_id: String(variantId), name: 'other.bin' },
    )
    expect(variantFile.json.file).toMatchObject({ variant_id: variantId, name: 'other.bin' })
  })

  test('that is deleted disappears from its product and from the storage, and its link answers 404', async () => {
    const { id } = await product(tradepost)
    const { file } = (await uploadFile(id)).json
    const { status, json } = await tradepost.delete(`/products/${id}/files/${file.id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: file.id }])
    expect((await tradepost.get(`/products/${id}/files`)).json.files).toEqual([])
    expect((await download(file.download_url)).statusCode).toBe(404)
    expect((await tradepost.delete(`/products/${id}/files/${file.id}`)).status).toBe(404)
    const countBefore = (await storedPaths()).length
    await removeBlobsJob.run(tradepost.app)
    expect(await storedPaths()).toHaveLength(countBefore - 1)
  })

  test.each([
    ['no base64', { name: 'x', content_base64: '%%%%' }, 'content_base64'],
    ['base64 without its padding', { name: 'x', content_base64: 'SGVsbG8' }, 'content_base64'],
    ['no name', { content_base64: 'SGVsbG8h' }, 'name'],
    ['no bytes', { name: 'x', content_base64: '' }, 'content_base64'],
    [
      'a variant that does not exist',
      { name: 'x', content_base64: 'AA==', variant_id: 9e9 },
      'variant_id',
    ],
    ['an unknown field', { name: 'x', content_base64: 'AA==', path: '/etc' }, 'path'],
  ])('with %s is refused, and nothing is stored', async (_, body, field) => {
    const { id } = await product(tradepost)
    const pathsBefore = await storedPaths()
    const { status, json } = await tradepost.post(`/products/${id}/files`, body)
    expect([status, json.details.field]).toEqual([422, field])
    expect(await storedPaths()).toEqual(pathsBefore)
  })

  test('of more than 50 MiB is refused', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: Buffer.alloc(50 * 1024 * 1024 + 1) }])
    const { status, json } = await tradepost.post(`/products/${id}/files`, undefined, form)
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('of 50 MiB is accepted', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: Buffer.alloc(50 * 1024 * 1024) }])
    expect((await tradepost.post(`/products/${id}/files`, undefined, form)).status).toBe(201)
  })
})

describe('a hostile name', () => {
  test.each([
    ['../../x', 'x'],
    ['..\\..\\x.exe', 'x.exe'],
    ['/etc/passwd', 'passwd'],
    ['....', 'file'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['"; rm -rf', '"; rm -rf'],
  ])(
    '%j does not change the path of the stored file, which is downloaded as %j',
    async (name, expectedName) => {
      const { id } = await product(tradepost)
      const body = { name, content_base64: 'SGVsbG8h' }
      const { status, json } = await tradepost.post(`/products/${id}/files`, body)
      expect([status, json.file?.name]).toEqual([201, expectedName])
      const { statusCode, headers } = await download(json.file.download_url)
      expect(statusCode).toBe(200)
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="[^"\\/]*"; filename\*=UTF-8''[\w.%~!-]+$/,
      )
      for (const path of await storedPaths()) {
        expect(path).toMatch(/\/files\/[0-9a-f]{2}\/[0-9a-f]{32}$/)
      }
    },
  )

  test('in a form loses its folders', async () => {
    const { id } = await product(tradepost)
    const { json } = await uploadFile(id, { name: '../../x', type: 'text/html' })
    expect(json.file.name).toBe('x')
  })

  test('results in a Content-Disposition header of one line and one name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const name = fileNameOf(text)
        expect(name.length).toBeGreaterThan(0)
        expect(name).not.toMatch(/[/\\\p{Cc}]/u)
        expect(attachment(name)).toMatch(
          /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\x21-\x7e]*$/,
        )
      }),
    )
  })
})
