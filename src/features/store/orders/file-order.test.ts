import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { formOf } from '../../../../test/form.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'
import { diagnose } from '../../installation/doctor/index.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  const { findings } = await diagnose(tradepost.app)
  await tradepost.close()
  expect(findings.filter(({ ok, check }) => !ok && check !== 'durable_commits')).toEqual([])
})

const BYTES = Buffer.from('The whole album.')

async function addFile(id: string, name: string, fields = {}): Promise<Json> {
  const form = formOf([{ bytes: BYTES, name, type: 'application/zip' }], fields)
  return (await tradepost.post(`/products/${id}/files`, undefined, form)).json.file
}
const read = async (id: string): Promise<Json> => (await tradepost.get(`/orders/${id}`)).json.order
const deliver = (made: Json, body: Json = {}) =>
  tradepost.post(`/orders/${made.id}/deliveries`, { order_item_id: made.items[0].id, ...body })
const download = (url: string) => tradepost.server.inject({ url: new URL(url).pathname })
const namesOf = ({ deliveries }: Json) =>
  deliveries.map(({ files }: Json) => files.map(({ name }: Json) => name))

test('a paid file is handed over at once, by an address that works for 15 minutes', async () => {
  tradepost.stopClock()
  const { id } = await product(tradepost, { type: 'file' })
  const file = await addFile(id, 'album.zip')
  await tradepost.events()
  const made = await order(tradepost, id, { mark_paid: true })
  expect(made).toMatchObject({ status: 'completed', deliveries: [{ status: 'delivered' }] })
  const [handed] = made.deliveries[0].files
  expect(handed).toEqual({
    id: file.id,
    name: 'album.zip',
    size_bytes: BYTES.length,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/files\/[\w.-]+$/),
    url_expires_at: expect.any(String),
  })
  const life_ms = Date.parse(handed.url_expires_at) - Date.parse(made.completed_at)
  expect(life_ms).toBeLessThanOrEqual(15 * MINUTE_MS)
  expect(life_ms).toBeGreaterThan(15 * MINUTE_MS - 1000)

  expect(await tradepost.events()).toEqual(['customer.created', 'order.created', 'order.completed'])
  const emitted = (await tradepost.payloads('order.completed')).at(-1).data.object.deliveries
  expect(emitted).toMatchObject([{ type: 'file', keys: [], text: null, files: [handed] }])

  expect((await download(handed.url)).rawPayload.equals(BYTES)).toBe(true)
  tradepost.forward(15 * MINUTE_MS)
  expect((await download(handed.url)).statusCode).toBe(404)
  const later = (await read(made.id)).deliveries[0].files[0]
  expect((await download(later.url)).statusCode).toBe(200)
})

test('a variant hands over its own files and those of the whole product', async () => {
  const variants = [{ name: 'Windows' }, { name: 'Linux' }]
  const made = await product(tradepost, { type: 'file', variants })
  const [windows, linux] = made.product.variants
  await addFile(made.id, 'setup.exe', { variant_id: String(windows.id) })
  await addFile(made.id, 'setup.tar', { variant_id: String(linux.id) })
  await addFile(made.id, 'manual.pdf')
  const items = [linux, windows].map(({ id }: Json) => ({
    product_id: made.id,
    variant_id: id,
    quantity: 1,
  }))
  const both = await order(tradepost, made.id, { items, mark_paid: true })
  expect(namesOf(both)).toEqual([
    ['setup.tar', 'manual.pdf'],
    ['setup.exe', 'manual.pdf'],
  ])
})

test('keys come with the files of their product', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('FILED', 1) })
  await addFile(game.id, 'installer.zip')
  const made = await order(tradepost, game.id, { mark_paid: true })
  expect(made.deliveries).toMatchObject([{ keys: ['FILED-000001'] }])
  expect(namesOf(made)).toEqual([['installer.zip']])
})

test('an order waits for a file that does not exist yet, and the seller delivers it manually once it does', async () => {
  const { id } = await product(tradepost, { type: 'file' })
  const made = await order(tradepost, id, { mark_paid: true })
  expect(made).toMatchObject({
    status: 'paid',
    deliveries: [{ status: 'pending', files: [], delivered_at: null }],
  })
  const early = await deliver(made)
  expect([early.status, early.json.details]).toEqual([422, { field: 'text' }])
  await addFile(id, 'late.zip')
  expect(namesOf(await read(made.id))).toEqual([[]])
  await tradepost.events()
  const { status, json } = await deliver(made)
  expect([status, json.order.status]).toEqual([201, 'completed'])
  expect(namesOf(json.order)).toEqual([['late.zip']])
  expect(await tradepost.events()).toEqual(['order.completed'])
})

test('a customer gets the files as they are now, also of a product that was deleted', async () => {
  const { id } = await product(tradepost, { type: 'file' })
  const old = await addFile(id, 'v1.zip')
  const made = await order(tradepost, id, { mark_paid: true })
  await addFile(id, 'v2.zip')
  await tradepost.delete(`/products/${id}/files/${old.id}`)
  await tradepost.delete(`/products/${id}`)
  expect(namesOf(await read(made.id))).toEqual([['v2.zip']])
  const [{ files }] = (await tradepost.get(`/orders/${made.id}/deliveries`)).json.deliveries
  expect((await download(files[0].url)).rawPayload.equals(BYTES)).toBe(true)
})

test('no address is given for files of an order that was refunded', async () => {
  const { id } = await product(tradepost, { type: 'file' })
  await addFile(id, 'album.zip')
  const made = await order(tradepost, id, { mark_paid: true })
  const { json } = await tradepost.post(`/orders/${made.id}/refund`)
  expect(json.order.deliveries).toMatchObject([{ status: 'revoked', files: [] }])
})
