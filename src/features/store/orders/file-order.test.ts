import { afterAll, beforeAll, expect, test } from 'vitest'
import { keysNamed, order, product } from '../../../../test/build.ts'
import { expectNoFindings } from '../../../../test/findings.ts'
import { formOf } from '../../../../test/form.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'
import { MINUTE_MS } from '../../../kernel/time.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(async () => {
  await expectNoFindings(tradepost)
  await tradepost.close()
})

const BYTES = Buffer.from('The whole album.')

async function addFile(productId: string, name: string, fields = {}): Promise<Json> {
  const form = formOf([{ bytes: BYTES, name, type: 'application/zip' }], fields)
  return (await expectSuccess(tradepost.post(`/products/${productId}/files`, undefined, form))).file
}
const getOrder = async (id: string): Promise<Json> =>
  (await tradepost.get(`/orders/${id}`)).json.order
const deliver = (created: Json, body: Json = {}) =>
  tradepost.post(`/orders/${created.id}/deliveries`, {
    order_item_id: created.items[0].id,
    ...body,
  })
const download = (url: string) => tradepost.server.inject({ url: new URL(url).pathname })
const fileNamesOf = ({ deliveries }: Json) =>
  deliveries.map(({ files }: Json) => files.map(({ name }: Json) => name))

test('a paid file is delivered immediately, with a link that is valid for 15 minutes', async () => {
  tradepost.stopClock()
  const { id } = await product(tradepost, { type: 'file' })
  const file = await addFile(id, 'album.zip')
  await tradepost.events()
  const newOrder = await order(tradepost, id, { mark_paid: true })
  expect(newOrder).toMatchObject({ status: 'completed', deliveries: [{ status: 'delivered' }] })
  const [deliveredFile] = newOrder.deliveries[0].files
  expect(deliveredFile).toEqual({
    id: file.id,
    name: 'album.zip',
    size_bytes: BYTES.length,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/files\/[\w.-]+$/),
    url_expires_at: expect.any(String),
  })
  const validity_ms = Date.parse(deliveredFile.url_expires_at) - Date.parse(newOrder.completed_at)
  expect(validity_ms).toBeLessThanOrEqual(15 * MINUTE_MS)
  expect(validity_ms).toBeGreaterThan(15 * MINUTE_MS - 1000)

  expect(await tradepost.events()).toEqual(['customer.created', 'order.created', 'order.completed'])
  const eventDeliveries = (await tradepost.payloads('order.completed')).at(-1).data.object
    .deliveries
  expect(eventDeliveries).toMatchObject([
    { type: 'file', keys: [], text: null, files: [deliveredFile] },
  ])

  expect((await download(deliveredFile.url)).rawPayload.equals(BYTES)).toBe(true)
  tradepost.forward(15 * MINUTE_MS)
  expect((await download(deliveredFile.url)).statusCode).toBe(404)
  const fileWithNewLink = (await getOrder(newOrder.id)).deliveries[0].files[0]
  expect((await download(fileWithNewLink.url)).statusCode).toBe(200)
})

test('a variant delivers its own files and those of the whole product', async () => {
  const variants = [{ name: 'Windows' }, { name: 'Linux' }]
  const newProduct = await product(tradepost, { type: 'file', variants })
  const [windows, linux] = newProduct.product.variants
  await addFile(newProduct.id, 'setup.exe', { variant_id: String(windows.id) })
  await addFile(newProduct.id, 'setup.tar', { variant_id: String(linux.id) })
  await addFile(newProduct.id, 'manual.pdf')
  const items = [linux, windows].map(({ id }: Json) => ({
    product_id: newProduct.id,
    variant_id: id,
    quantity: 1,
  }))
  const newOrder = await order(tradepost, newProduct.id, { items, mark_paid: true })
  expect(fileNamesOf(newOrder)).toEqual([
    ['setup.tar', 'manual.pdf'],
    ['setup.exe', 'manual.pdf'],
  ])
})

test('keys and files of a product are delivered together', async () => {
  const game = await product(tradepost, {}, { keys: keysNamed('FILED', 1) })
  await addFile(game.id, 'installer.zip')
  const newOrder = await order(tradepost, game.id, { mark_paid: true })
  expect(newOrder.deliveries).toMatchObject([{ keys: ['FILED-000001'] }])
  expect(fileNamesOf(newOrder)).toEqual([['installer.zip']])
})

test('an order waits for a file that does not exist yet, and the seller delivers it manually later', async () => {
  const { id } = await product(tradepost, { type: 'file' })
  const newOrder = await order(tradepost, id, { mark_paid: true })
  expect(newOrder).toMatchObject({
    status: 'paid',
    deliveries: [{ status: 'pending', files: [], delivered_at: null }],
  })
  const refusal = await deliver(newOrder)
  expect([refusal.status, refusal.json.details]).toMatchObject([422, { field: 'text' }])
  await addFile(id, 'late.zip')
  expect(fileNamesOf(await getOrder(newOrder.id))).toEqual([[]])
  await tradepost.events()
  const { status, json } = await deliver(newOrder)
  expect([status, json.order.status]).toEqual([201, 'completed'])
  expect(fileNamesOf(json.order)).toEqual([['late.zip']])
  expect(await tradepost.events()).toEqual(['order.completed'])
})

test('a delivery shows the current files of its product, even after the deletion of the product', async () => {
  const { id } = await product(tradepost, { type: 'file' })
  const formerFile = await addFile(id, 'v1.zip')
  const newOrder = await order(tradepost, id, { mark_paid: true })
  await addFile(id, 'v2.zip')
  await expectSuccess(tradepost.delete(`/products/${id}/files/${formerFile.id}`))
  await expectSuccess(tradepost.delete(`/products/${id}`))
  expect(fileNamesOf(await getOrder(newOrder.id))).toEqual([['v2.zip']])
  const [{ files }] = (await tradepost.get(`/orders/${newOrder.id}/deliveries`)).json.deliveries
  expect((await download(files[0].url)).rawPayload.equals(BYTES)).toBe(true)
})

test('a refunded order has no links to files', async () => {
  const { id } = await product(tradepost, { type: 'file' })
  await addFile(id, 'album.zip')
  const newOrder = await order(tradepost, id, { mark_paid: true })
  const { json } = await tradepost.post(`/orders/${newOrder.id}/refund`)
  expect(json.order.deliveries).toMatchObject([{ status: 'revoked', files: [] }])
})
