import { readdir } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import { type Form, formOf, GIF, MP4, PNG } from '../../../../test/form.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { removeBlobsJob } from '../../installation/blobs/index.ts'

let tradepost: Tradepost
let elsewhere: Server
let origin: string

const to = (location: string) => (response: ServerResponse) =>
  response.writeHead(302, { location }).end()
const says = (body: string | Buffer) => (response: ServerResponse) => response.end(body)

/** Another site, with pictures and traps. */
const SITE: Record<string, (response: ServerResponse) => unknown> = {
  '/a.png': says(PNG),
  '/moved': to('/a.png'),
  '/round': to('/round'),
  '/inside': to('http://10.0.0.1/'),
  '/page': says('<html><script>alert(1)</script></html>'),
  '/svg': says('<svg onload="alert(1)"></svg>'),
  '/large': says(Buffer.concat([PNG, Buffer.alloc(11 * 1024 * 1024)])),
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write(PNG)
    setTimeout(() => response.destroy(), 20)
  },
}

beforeAll(async () => {
  tradepost = await openTradepost()
  elsewhere = createServer((request, response) => {
    const answer = SITE[request.url ?? '']
    return answer ? answer(response) : response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
})
afterAll(async () => {
  elsewhere.closeAllConnections()
  await new Promise((resolve) => elsewhere.close(resolve))
  await tradepost.close()
})

/** The beginning of a file of the ISO base media format. */
const ofBrand = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}mp42`)

const folder = () => join(tradepost.app.config.dataDir, 'files')
/** Names of all files in storage, each complete. */
async function stored(): Promise<string[]> {
  const all = await readdir(folder(), { recursive: true, withFileTypes: true }).catch(() => [])
  return all.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name))
}
afterEach(async () => {
  expect((await stored()).filter((path) => path.includes('incoming'))).toEqual([])
})

const upload = (id: string, form: Form) =>
  tradepost.post(`/products/${id}/media`, undefined, { raw: form.raw, headers: form.headers })
const sections = async (id: string): Promise<Json[]> =>
  (await tradepost.get(`/products/${id}`)).json.media

describe('an upload', () => {
  test('is kept, shown at a public address, and the first image is the main one', async () => {
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
    expect(await sections(id)).toEqual([json.media])
    const shown = await tradepost.server.inject({ url: new URL(json.media.url).pathname })
    expect(shown.statusCode).toBe(200)
    expect(shown.rawPayload).toEqual(PNG)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const again = await upload(id, formOf([{ bytes: GIF }]))
    expect(again.json.media).toMatchObject({ position: 1, is_main: false })
    const main = await upload(id, formOf([{ bytes: GIF }], { is_main: 'true', kind: 'image' }))
    expect(main.json.media.is_main).toBe(true)
    expect((await sections(id)).filter((item) => item.is_main)).toHaveLength(1)
  })

  test.each([
    ['an SVG', [{ bytes: Buffer.from('<svg onload="x"/>'), type: 'image/png' }], {}, 'file'],
    ['HTML named a picture', [{ bytes: Buffer.from('<html>'), name: 'a.png' }], {}, 'file'],
    ['nothing at all', [{ bytes: Buffer.alloc(0) }], {}, 'file'],
    ['a photo in the container of a video', [{ bytes: ofBrand('heic') }], {}, 'file'],
    ['sound in the container of a video', [{ bytes: ofBrand('M4A ') }], {}, 'file'],
    ['another kind than it says', [{ bytes: MP4 }], { kind: 'image' }, 'kind'],
    ['a video as the main image', [{ bytes: MP4 }], { is_main: 'true' }, 'is_main'],
    ['an unknown field', [{ bytes: PNG }], { colour: 'red' }, 'colour'],
    ['a field that is no boolean', [{ bytes: PNG }], { is_main: 'yes' }, 'is_main'],
    ['two files', [{ bytes: PNG }, { bytes: PNG }], {}, 'file'],
    ['a file in another field', [{ bytes: PNG, field: 'picture' }], {}, 'picture'],
    ['no file', [], { kind: 'image' }, 'file'],
  ])('of %s is refused, and nothing of it stays', async (_, files, fields, field) => {
    const { id } = await product(tradepost)
    const before = await stored()
    const { status, json } = await upload(id, formOf(files, fields as Record<string, string>))
    expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
    expect(await sections(id)).toEqual([])
    expect(await stored()).toEqual(before)
  })

  test('that is no form, or breaks off, is refused', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: PNG }])
    for (const broken of [
      { ...form, raw: form.raw.subarray(0, form.raw.length - 30) },
      { ...form, raw: Buffer.from('nonsense') },
      { ...form, raw: Buffer.alloc(0) },
      { ...form, headers: { 'content-type': 'multipart/form-data' } },
    ]) {
      const { status, json } = await upload(id, broken)
      expect([status, json.code]).toEqual([422, 'VALIDATION_FAILED'])
    }
  })

  test('to an endpoint that takes no file is the wrong type of body', async () => {
    const form = formOf([{ bytes: PNG }])
    const { status, json } = await tradepost.post('/products', undefined, form)
    expect([status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('under an idempotency key is kept once', async () => {
    const { id } = await product(tradepost)
    const form = formOf([{ bytes: PNG }])
    const headers = { ...form.headers, 'idempotency-key': 'picture-once' }
    const first = await tradepost.post(`/products/${id}/media`, undefined, {
      raw: form.raw,
      headers,
    })
    const before = await stored()
    const again = await tradepost.post(`/products/${id}/media`, undefined, {
      raw: form.raw,
      headers,
    })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await stored()).toEqual(before)
    expect(await sections(id)).toHaveLength(1)
    const other = formOf([{ bytes: GIF }])
    const reused = await tradepost.post(`/products/${id}/media`, undefined, {
      raw: other.raw,
      headers,
    })
    expect(reused.json.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a picture by its address', () => {
  test('is fetched and kept, through a redirect too', async () => {
    const { id } = await product(tradepost)
    for (const path of ['/a.png', '/moved']) {
      const { status, json } = await tradepost.post(`/products/${id}/media`, { url: origin + path })
      expect(status).toBe(201)
      expect(json.media.url).toMatch(/\/media\/[0-9a-f]{32}\.png$/)
      expect(json.media.meta).toEqual({ mime_type: 'image/png', size_bytes: PNG.length })
    }
  })

  test.each(['/page', '/svg', '/none', '/round', '/inside', '/large', '/broken'])(
    'that leads to %s is refused, and nothing of it stays',
    async (path) => {
      const { id } = await product(tradepost)
      const before = await stored()
      const { status, json } = await tradepost.post(`/products/${id}/media`, { url: origin + path })
      expect([status, json.code]).toEqual(
        path === '/large' ? [413, 'PAYLOAD_TOO_LARGE'] : [422, 'VALIDATION_FAILED'],
      )
      expect(await stored()).toEqual(before)
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
  ])('%s is not called', async (url) => {
    const { id } = await product(tradepost)
    const { status, json } = await tradepost.post(`/products/${id}/media`, { url })
    expect([status, json.details.field]).toEqual([422, 'url'])
  })

  test('of a product that is not there is not fetched', async () => {
    const { status } = await tradepost.post('/products/AAAAAAAAAAAA/media', {
      url: `${origin}/round`,
    })
    expect(status).toBe(404)
  })

  test('is another matter for a video: it stays where it is', async () => {
    const { id } = await product(tradepost)
    const url = 'https://videos.example.com/watch?v=1'
    const { json } = await tradepost.post(`/products/${id}/media`, { url, kind: 'video' })
    expect(json.media).toMatchObject({ kind: 'video', url, is_main: false, meta: {} })
    const main = await tradepost.post(`/products/${id}/media`, {
      url,
      kind: 'video',
      is_main: true,
    })
    expect(main.json.details.field).toBe('is_main')
  })
})

describe('of several', () => {
  async function three() {
    const { id } = await product(tradepost)
    const ids: number[] = []
    for (const bytes of [PNG, MP4, GIF])
      ids.push((await upload(id, formOf([{ bytes }]))).json.media.id)
    const [png = 0, mp4 = 0, gif = 0] = ids
    return { id, path: `/products/${id}/media`, png, mp4, gif }
  }

  test('the first image is the main one behind a video too', async () => {
    const { id } = await product(tradepost)
    expect((await upload(id, formOf([{ bytes: MP4 }]))).json.media.is_main).toBe(false)
    expect((await upload(id, formOf([{ bytes: PNG }]))).json.media.is_main).toBe(true)
  })

  test('exactly one image is the main one, whatever is changed or deleted', async () => {
    const { id, path, png, mp4, gif } = await three()
    const mains = async () =>
      (await sections(id)).filter((item) => item.is_main).map((item) => item.id)
    expect(await mains()).toEqual([png])
    const off = await tradepost.patch(`${path}/${png}`, { is_main: false })
    expect([off.status, off.json.details.field]).toEqual([422, 'is_main'])
    expect((await tradepost.patch(`${path}/${mp4}`, { is_main: true })).json.details.field).toBe(
      'is_main',
    )
    expect((await tradepost.patch(`${path}/${gif}`, { is_main: true })).json.media.is_main).toBe(
      true,
    )
    expect(await mains()).toEqual([gif])
    const gone = await tradepost.delete(`${path}/${gif}`)
    expect(gone.json).toEqual({ success: true, deleted: true, id: gif })
    expect(await mains()).toEqual([png])
    await tradepost.delete(`${path}/${png}`)
    expect(await mains()).toEqual([])
    expect((await tradepost.delete(`${path}/${png}`)).status).toBe(404)
  })

  test('there are at most 50, and a refusal names the field', async () => {
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

  test('the order is what `ids` says, and facts are kept', async () => {
    const { id, path, png, mp4, gif } = await three()
    const { json } = await tradepost.put(`${path}/order`, { ids: [gif, png, mp4] })
    expect(json.media.map((item: Json) => [item.id, item.position])).toEqual([
      [gif, 0],
      [png, 1],
      [mp4, 2],
    ])
    expect((await sections(id)).map((item) => item.id)).toEqual([gif, png, mp4])
    expect((await tradepost.put(`${path}/order`, { ids: [gif, png] })).json.details.field).toBe(
      'ids',
    )
    const meta = { alt: 'A cat', width: 800 }
    expect((await tradepost.patch(`${path}/${gif}`, { meta })).json.media.meta).toEqual(meta)
    const bad = await tradepost.patch(`${path}/${gif}`, { meta: { a: { b: 1 } } })
    expect([bad.status, bad.json.details.field]).toEqual([422, 'meta.a'])
  })

  test('a copy shows the same files, which stay until the last one that shows them goes', async () => {
    const { id, path, png } = await three()
    const copy = (await tradepost.post(`/products/${id}/duplicate`)).json
    const address = (await sections(id))[0].url
    expect(copy.media.map((item: Json) => item.url)).toContain(address)
    expect(copy.media.map((item: Json) => item.is_main)).toEqual([true, false, false])
    const { pathname } = new URL(address)
    const look = async () => {
      await sql`update blob set remove_at = now() where uses = 0`.execute(tradepost.db)
      await removeBlobsJob.run(tradepost.app)
      return (await tradepost.server.inject({ url: pathname })).statusCode
    }
    await tradepost.delete(`${path}/${png}`)
    expect(await look()).toBe(200)
    await tradepost.delete(`/products/${copy.product.id}`)
    expect(await look()).toBe(404)
  })
})

test.each(['../../etc/passwd', 'a.png', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.html`, '%00'])(
  'there is no picture called %s',
  async (name) => {
    const { statusCode } = await tradepost.server.inject({
      url: `/media/${encodeURIComponent(name)}`,
    })
    expect(statusCode).toBe(404)
  },
)
