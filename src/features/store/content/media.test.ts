import { readdir } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import { type Form, formOf, GIF, MP4, PNG } from '../../../../test/form.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { removeBlobsJob } from '../../installation/blobs/index.ts'

let tradepost: Tradepost
let imageServer: Server
let origin: string

const redirectTo = (location: string) => (response: ServerResponse) =>
  response.writeHead(302, { location }).end()
const respondWith = (body: string | Buffer) => (response: ServerResponse) => response.end(body)

/** The answers of a server on another site: a picture, and hostile answers. */
const IMAGE_SERVER: Record<string, (response: ServerResponse) => unknown> = {
  '/a.png': respondWith(PNG),
  '/moved': redirectTo('/a.png'),
  '/loop': redirectTo('/loop'),
  '/private-address': redirectTo('http://10.0.0.1/'),
  '/page': respondWith('<html><script>alert(1)</script></html>'),
  '/svg': respondWith('<svg onload="alert(1)"></svg>'),
  '/large': respondWith(Buffer.concat([PNG, Buffer.alloc(11 * 1024 * 1024)])),
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write(PNG)
    setTimeout(() => response.destroy(), 20)
  },
}

beforeAll(async () => {
  tradepost = await openTradepost()
  imageServer = createServer((request, response) => {
    const answer = IMAGE_SERVER[request.url ?? '']
    return answer ? answer(response) : response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => imageServer.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(imageServer.address() as AddressInfo).port}`
})
afterAll(async () => {
  imageServer.closeAllConnections()
  await new Promise((resolve) => imageServer.close(resolve))
  await tradepost.close()
})

/** Returns the first bytes of a file in the ISO base media format, which begins with its brand. */
const headOfBrand = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}mp42`)

async function storedPaths(): Promise<string[]> {
  const folder = join(tradepost.app.config.dataDir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name))
}
/** Incomplete files are in the folder `incoming`. */
afterEach(async () => {
  expect((await storedPaths()).filter((path) => path.includes('incoming'))).toEqual([])
})

const upload = (id: string, form: Form) =>
  tradepost.post(`/products/${id}/media`, undefined, { raw: form.raw, headers: form.headers })
const listMedia = async (id: string): Promise<Json[]> =>
  (await tradepost.get(`/products/${id}`)).json.media

describe('an upload', () => {
  test('is stored and public, and the first image is the main image', async () => {
    const { id } = await product(tradepost)
    const { status, json } = await upload(id, formOf([{ bytes: PNG, name: 'x.exe' }]))
    expect(status).toBe(201)
    expect(json.media).toEqual({
      id: expect.any(Number),
      kind: 'image',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/media\/[0-9a-f]{32}\.png$/),
      position: 0,
      is_main: true,
      meta: { mime_type: 'image/png', size_bytes: PNG.length },
      created_at: expect.any(String),
    })
    expect(await listMedia(id)).toEqual([json.media])
    const response = await tradepost.server.inject({ url: new URL(json.media.url).pathname })
    expect(response.statusCode).toBe(200)
    expect(response.rawPayload).toEqual(PNG)
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const second = await upload(id, formOf([{ bytes: GIF }]))
    expect(second.json.media).toMatchObject({ position: 1, is_main: false })
    const mainImage = await upload(id, formOf([{ bytes: GIF }], { is_main: 'true', kind: 'image' }))
    expect(mainImage.json.media.is_main).toBe(true)
    expect((await listMedia(id)).filter((item) => item.is_main)).toHaveLength(1)
  })

  test.each([
    ['an SVG', [{ bytes: Buffer.from('<svg onload="x"/>'), type: 'image/png' }], {}, 'file'],
    [
      'HTML with the name of a picture',
      [{ bytes: Buffer.from('<html>'), name: 'a.png' }],
      {},
      'file',
    ],
    ['no bytes', [{ bytes: Buffer.alloc(0) }], {}, 'file'],
    ['a photo in the container of a video', [{ bytes: headOfBrand('heic') }], {}, 'file'],
    ['sound in the container of a video', [{ bytes: headOfBrand('M4A ') }], {}, 'file'],
    ['a video with the kind image', [{ bytes: MP4 }], { kind: 'image' }, 'kind'],
    ['a video as the main image', [{ bytes: MP4 }], { is_main: 'true' }, 'is_main'],
    ['a picture with an unknown field', [{ bytes: PNG }], { colour: 'red' }, 'colour'],
    ['a picture with a text as is_main', [{ bytes: PNG }], { is_main: 'yes' }, 'is_main'],
    ['two files', [{ bytes: PNG }, { bytes: PNG }], {}, 'file'],
    ['a file in another field', [{ bytes: PNG, field: 'picture' }], {}, 'picture'],
    ['no file', [], { kind: 'image' }, 'file'],
  ])('of %s is refused, and nothing of it is stored', async (_, files, fields, field) => {
    const { id } = await product(tradepost)
    const pathsBefore = await storedPaths()
    const { status, json } = await upload(id, formOf(files, fields as Record<string, string>))
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect(await listMedia(id)).toEqual([])
    expect(await storedPaths()).toEqual(pathsBefore)
  })

  test('that is no form, or is aborted, is refused', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: PNG }])
    for (const brokenForm of [
      { ...form, raw: form.raw.subarray(0, form.raw.length - 30) },
      { ...form, raw: Buffer.from('nonsense') },
      { ...form, raw: Buffer.alloc(0) },
      { ...form, headers: { 'content-type': 'multipart/form-data' } },
    ]) {
      const { status, json } = await upload(id, brokenForm)
      expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    }
  })

  test('to an endpoint that accepts no files is refused with 415', async () => {
    const form = formOf([{ bytes: PNG }])
    const { status, json } = await tradepost.post('/products', undefined, form)
    expect([status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('with an idempotency key is stored once', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: PNG }])
    const headers = { ...form.headers, 'idempotency-key': 'picture-once' }
    const uploadOnce = (raw: Buffer) =>
      tradepost.post(`/products/${id}/media`, undefined, { raw, headers })
    const first = await uploadOnce(form.raw)
    const pathsBefore = await storedPaths()
    const repeat = await uploadOnce(form.raw)
    expect([first.status, repeat.status]).toEqual([201, 201])
    expect(repeat.text).toBe(first.text)
    expect(repeat.headers['idempotency-replayed']).toBe('true')
    expect(await storedPaths()).toEqual(pathsBefore)
    expect(await listMedia(id)).toHaveLength(1)
    const secondUpload = await uploadOnce(formOf([{ bytes: GIF }]).raw)
    expect(secondUpload.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a picture by its address', () => {
  test('is fetched and stored, also through a redirect', async () => {
    const { id } = await product(tradepost)
    for (const path of ['/a.png', '/moved']) {
      const { status, json } = await tradepost.post(`/products/${id}/media`, { url: origin + path })
      expect(status).toBe(201)
      expect(json.media.url).toMatch(/\/media\/[0-9a-f]{32}\.png$/)
      expect(json.media.meta).toEqual({ mime_type: 'image/png', size_bytes: PNG.length })
    }
  })

  test.each(['/page', '/svg', '/none', '/loop', '/private-address', '/large', '/broken'])(
    'that leads to %s is refused, and nothing of it is stored',
    async (path) => {
      const { id } = await product(tradepost)
      const pathsBefore = await storedPaths()
      const { status, json } = await tradepost.post(`/products/${id}/media`, { url: origin + path })
      expect([status, json.code]).toEqual(
        path === '/large' ? [413, 'PAYLOAD_TOO_LARGE'] : [422, 'VALIDATION_FAILED'],
      )
      expect(await storedPaths()).toEqual(pathsBefore)
    },
  )

  test.each([
    'http://example.com/a.png',
    'https://10.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a.png',
    'https://user:pass@example.com/a.png',
    'https://metadata.google.internal/',
    'https://nobody.invalid/a.png',
    'http://127.0.0.1:6379/',
    'file:///etc/passwd',
  ])('%s is never requested', async (url) => {
    const { id } = await product(tradepost)
    const { status, json } = await tradepost.post(`/products/${id}/media`, { url })
    expect([status, json.details.field]).toEqual([422, 'url'])
  })

  test('for an unknown product is not fetched', async () => {
    const { status } = await tradepost.post('/products/AAAAAAAAAAAA/media', {
      url: `${origin}/loop`,
    })
    expect(status).toBe(404)
  })

  test('of a video is not fetched, and the address itself is stored', async () => {
    const { id } = await product(tradepost)
    const url = 'https://videos.example.com/watch?v=1'
    const { json } = await tradepost.post(`/products/${id}/media`, { url, kind: 'video' })
    expect(json.media).toMatchObject({ kind: 'video', url, is_main: false, meta: {} })
    const refusal = await tradepost.post(`/products/${id}/media`, {
      url,
      kind: 'video',
      is_main: true,
    })
    expect(refusal.json.details.field).toBe('is_main')
  })
})

describe('several media', () => {
  async function createThreeMedia() {
    const { id } = await product(tradepost)
    const ids: number[] = []
    for (const bytes of [PNG, MP4, GIF])
      ids.push((await upload(id, formOf([{ bytes }]))).json.media.id)
    const [png = 0, mp4 = 0, gif = 0] = ids
    return { id, path: `/products/${id}/media`, png, mp4, gif }
  }

  test('have the first image as the main image, even after a video', async () => {
    const { id } = await product(tradepost)
    expect((await upload(id, formOf([{ bytes: MP4 }]))).json.media.is_main).toBe(false)
    expect((await upload(id, formOf([{ bytes: PNG }]))).json.media.is_main).toBe(true)
  })

  test('have exactly one main image after every change and deletion, as long as they include an image', async () => {
    const { id, path, png, mp4, gif } = await createThreeMedia()
    const mainIds = async () =>
      (await listMedia(id)).filter((item) => item.is_main).map((item) => item.id)
    expect(await mainIds()).toEqual([png])
    const unset = await tradepost.patch(`${path}/${png}`, { is_main: false })
    expect([unset.status, unset.json.details.field]).toEqual([422, 'is_main'])
    expect((await tradepost.patch(`${path}/${mp4}`, { is_main: true })).json.details.field).toBe(
      'is_main',
    )
    expect((await tradepost.patch(`${path}/${gif}`, { is_main: true })).json.media.is_main).toBe(
      true,
    )
    expect(await mainIds()).toEqual([gif])
    const deletion = await tradepost.delete(`${path}/${gif}`)
    expect(deletion.json).toEqual({ success: true, deleted: true, id: gif })
    expect(await mainIds()).toEqual([png])
    await expectSuccess(tradepost.delete(`${path}/${png}`))
    expect(await mainIds()).toEqual([])
    expect((await tradepost.delete(`${path}/${png}`)).status).toBe(404)
  })

  test('are at most 50, and a refusal names the field', async () => {
    const { id } = await product(tradepost)
    await sql`
      insert into product_media
             (store_id, product_id, kind, url, position, is_main, meta, created_at)
      select store_id, id, 'video', 'https://videos.example.com', n, false, '{}', now()
        from product, generate_series(1, 50) as n
       where hash_id = ${id}`.execute(tradepost.db)
    const file = await upload(id, formOf([{ bytes: PNG }]))
    expect([file.status, file.json.details.field]).toEqual([422, 'file'])
    const body = { url: 'https://videos.example.com', kind: 'video' }
    const { status, json } = await tradepost.post(`/products/${id}/media`, body)
    expect([status, json.details.field]).toEqual([422, 'url'])
  })

  test('are sorted by `ids`, which must list all of them', async () => {
    const { id, path, png, mp4, gif } = await createThreeMedia()
    const { json } = await tradepost.put(`${path}/order`, { ids: [gif, png, mp4] })
    expect(json.media.map((item: Json) => [item.id, item.position])).toEqual([
      [gif, 0],
      [png, 1],
      [mp4, 2],
    ])
    expect((await listMedia(id)).map((item) => item.id)).toEqual([gif, png, mp4])
    expect((await tradepost.put(`${path}/order`, { ids: [gif, png] })).json.details.field).toBe(
      'ids',
    )
  })

  test('have a meta object of texts and numbers', async () => {
    const { path, gif } = await createThreeMedia()
    const meta = { alt: 'A cat', width: 800 }
    expect((await tradepost.patch(`${path}/${gif}`, { meta })).json.media.meta).toEqual(meta)
    const refusal = await tradepost.patch(`${path}/${gif}`, { meta: { a: { b: 1 } } })
    expect([refusal.status, refusal.json.details.field]).toEqual([422, 'meta.a'])
  })

  test('share their files with duplicates of the product, and a file is removed when the last of them is deleted', async () => {
    const { id, path, png } = await createThreeMedia()
    const duplicate = (await tradepost.post(`/products/${id}/duplicate`)).json
    const { url } = (await listMedia(id))[0]
    expect(duplicate.media.map((item: Json) => item.url)).toContain(url)
    expect(duplicate.media.map((item: Json) => item.is_main)).toEqual([true, false, false])
    const { pathname } = new URL(url)
    const statusOfFile = async () => {
      await sql`update blob set remove_at = now() - interval '1 day' where uses = 0`.execute(
        tradepost.db,
      )
      await removeBlobsJob.run(tradepost.app)
      return (await tradepost.server.inject({ url: pathname })).statusCode
    }
    await expectSuccess(tradepost.delete(`${path}/${png}`))
    expect(await statusOfFile()).toBe(200)
    await expectSuccess(tradepost.delete(`/products/${duplicate.product.id}`))
    expect(await statusOfFile()).toBe(404)
  })
})

test.each(['../../etc/passwd', 'a.png', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.html`, '%00'])(
  'a picture named %s is not found',
  async (name) => {
    const { statusCode } = await tradepost.server.inject({
      url: `/media/${encodeURIComponent(name)}`,
    })
    expect(statusCode).toBe(404)
  },
)
