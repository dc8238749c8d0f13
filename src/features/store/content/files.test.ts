import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import { formOf } from '../../../../test/form.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { attachment, fileNameOf } from '../../../kernel/file-name.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { removeBlobsJob } from '../../installation/blobs/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const BYTES = randomBytes(300_000)

async function fileOf(id: string, file: Json = {}, fields = {}, as = tradepost.live) {
  const form = formOf(
    [{ bytes: BYTES, name: 'manual.pdf', type: 'application/pdf', ...file }],
    fields,
  )
  return tradepost.post(`/products/${id}/files`, undefined, { ...form, as })
}

const download = (url: string, headers = {}) =>
  tradepost.server.inject({ url: new URL(url).pathname, headers })

describe('a file', () => {
  test('comes back byte for byte from its link, with its checksum and its name', async () => {
    const { id } = await product(tradepost)
    const { status, json } = await fileOf(id)
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
    const copy = (await tradepost.post(`/products/${id}/duplicate`)).json.product.id
    expect((await tradepost.get(`/products/${copy}/files`)).json.files).toEqual([])
  })

  test('is sent in ranges, and not again if the caller has it', async () => {
    const { id } = await product(tradepost)
    const { download_url, sha256 } = (await fileOf(id)).json.file
    const part = await download(download_url, { range: 'bytes=100-199' })
    expect(part.statusCode).toBe(206)
    expect(part.rawPayload.equals(BYTES.subarray(100, 200))).toBe(true)
    expect(part.headers).toMatchObject({
      'content-range': `bytes 100-199/${BYTES.length}`,
      'content-length': '100',
    })
    const past = await download(download_url, { range: `bytes=${BYTES.length}-` })
    expect(past.statusCode).toBe(416)
    expect(past.headers['content-range']).toBe(`bytes */${BYTES.length}`)
    const known = await download(download_url, { 'if-none-match': `"${sha256}"` })
    expect([known.statusCode, known.body]).toEqual([304, ''])
  })

  test('has a link that ends after 15 minutes by the store’s clock, and opens nothing else', async () => {
    const { id } = await product(tradepost)
    const { download_url } = (await fileOf(id)).json.file
    tradepost.forward(15 * MINUTE_MS - 60_000)
    expect((await download(download_url)).statusCode).toBe(200)
    tradepost.forward(60_000)
    expect((await download(download_url)).statusCode).toBe(404)
    const [fresh] = (await tradepost.get(`/products/${id}/files`)).json.files
    expect((await download(fresh.download_url)).statusCode).toBe(200)
    const link = new URL(fresh.download_url).pathname
    for (const changed of [
      link.replace(/-(\d+)\./, (_, n) => `-${Number(n) + 1}.`),
      link.replace(/\.(\d+)\./, (_, n) => `.${Number(n) + 900}.`),
      `${link}x`,
      '/files/x',
      '/files/..%2F..%2Fetc%2Fpasswd',
    ]) {
      expect((await tradepost.server.inject({ url: changed })).statusCode, changed).toBe(404)
    }
  })

  test('has at least one byte', async () => {
    const { id } = await product(tradepost)
    const { status, json } = await fileOf(id, { bytes: Buffer.alloc(0) })
    expect([status, json.details.field]).toEqual([422, 'file'])
    expect((await tradepost.get(`/products/${id}/files`)).json.files).toEqual([])
  })

  test('is one of at most 100', async () => {
    const { id } = await product(tradepost)
    for (let n = 0; n < 100; n++) await fileOf(id)
    const { status, json } = await fileOf(id)
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', 'name'])
  })

  test('may be base64 in a JSON body, and of one variant', async () => {
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
    const form = await fileOf(id, {}, { variant_id: String(variantId), name: 'other.bin' })
    expect(form.json.file).toMatchObject({ variant_id: variantId, name: 'other.bin' })
  })

  test('that is deleted is gone from its product, its link and the storage', async () => {
    const { id } = await product(tradepost)
    const { file } = (await fileOf(id)).json
    const { status, json } = await tradepost.delete(`/products/${id}/files/${file.id}`)
    expect([status, json]).toEqual([200, { success: true, deleted: true, id: file.id }])
    expect((await tradepost.get(`/products/${id}/files`)).json.files).toEqual([])
    expect((await download(file.download_url)).statusCode).toBe(404)
    expect((await tradepost.delete(`/products/${id}/files/${file.id}`)).status).toBe(404)
    const before = (await names()).length
    await removeBlobsJob.run(tradepost.app)
    expect((await names()).length).toBe(before - 1)
  })

  test.each([
    ['no base64', { name: 'x', content_base64: '%%%%' }, 'content_base64'],
    ['base64 without its padding', { name: 'x', content_base64: 'SGVsbG8' }, 'content_base64'],
    ['no name', { content_base64: 'SGVsbG8h' }, 'name'],
    ['no bytes', { name: 'x', content_base64: '' }, 'content_base64'],
    [
      'a variant that is not there',
      { name: 'x', content_base64: 'AA==', variant_id: 9e9 },
      'variant_id',
    ],
    ['an unknown field', { name: 'x', content_base64: 'AA==', path: '/etc' }, 'path'],
  ])('with %s is refused, and nothing is kept', async (_, body, field) => {
    const { id } = await product(tradepost)
    const before = await names()
    const { status, json } = await tradepost.post(`/products/${id}/files`, body)
    expect([status, json.details.field]).toEqual([422, field])
    expect(await names()).toEqual(before)
  })

  test('of more than 50 MiB is refused on its bytes, whatever its length says', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: Buffer.alloc(50 * 1024 * 1024 + 1) }])
    const { status, json } = await tradepost.post(`/products/${id}/files`, undefined, form)
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('of 50 MiB is taken', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: Buffer.alloc(50 * 1024 * 1024) }])
    expect((await tradepost.post(`/products/${id}/files`, undefined, form)).status).toBe(201)
  })
})

const names = async (): Promise<string[]> => {
  const folder = join(tradepost.app.config.dataDir, 'files')
  const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return all.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name))
}

describe('a hostile name', () => {
  test.each([
    ['../../x', 'x'],
    ['..\\..\\x.exe', 'x.exe'],
    ['/etc/passwd', 'passwd'],
    ['....', 'file'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['"; rm -rf', '"; rm -rf'],
  ])('%j is stored nowhere else and downloads as %j', async (name, shown) => {
    const { id } = await product(tradepost)
    const body = { name, content_base64: 'SGVsbG8h' }
    const { status, json } = await tradepost.post(`/products/${id}/files`, body)
    expect([status, json.file?.name]).toEqual([201, shown])
    const { statusCode, headers } = await download(json.file.download_url)
    expect(statusCode).toBe(200)
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="[^"\\/]*"; filename\*=UTF-8''[\w.%~!-]+$/,
    )
    for (const path of await names()) {
      expect(path).toMatch(/\/files\/[0-9a-f]{2}\/[0-9a-f]{32}$/)
    }
  })

  test('in a form is stored nowhere else either', async () => {
    const { id } = await product(tradepost)
    const { json } = await fileOf(id, { name: '../../x', type: 'text/html' })
    expect(json.file.name).toBe('x')
  })

  test('gives a header that holds one line and one name, whatever it is', () => {
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
