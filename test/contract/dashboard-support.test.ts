import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { type SignedIn, signedIn } from '../browser-session.ts'
import { order } from '../build.ts'
import { formOf, MP4, PNG } from '../form.ts'
import { expectSuccess, type Json, type Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'
import { createReturn, createTicket } from './support-calls.ts'

// Endpoints of the dashboard for tickets and returns: saved replies, linked orders, photos.

let tradepost: Tradepost
let owner: SignedIn
let viewer: SignedIn
let base: string

beforeAll(async () => {
  tradepost = await openUnlimited()
  owner = await signedIn(tradepost)
  viewer = await signedIn(tradepost, 'viewer')
  base = `/stores/${tradepost.live.id}`
})
afterAll(() => tradepost.close())

const refusalOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

describe('a saved reply', () => {
  const NEW = { name: 'Try again', body: 'Please try it again now.' }

  test('is visible to the team, and each change writes an audit event', async () => {
    const before = await lastAuditId(tradepost)
    const created = await owner.post(`${base}/saved-replies`, NEW)
    expect([created.status, created.json.saved_reply]).toMatchObject([201, NEW])
    const { id } = created.json.saved_reply
    const changed = await owner.patch(`${base}/saved-replies/${id}`, { body: 'Restart it first.' })
    expect(changed.json.saved_reply).toMatchObject({ ...NEW, body: 'Restart it first.' })
    const listed = await viewer.get(`${base}/saved-replies`)
    expect(listed.json.saved_replies).toEqual([changed.json.saved_reply])
    expect((await owner.delete(`${base}/saved-replies/${id}`)).json).toEqual({
      ...{ success: true, id, deleted: true },
    })
    expect((await viewer.get(`${base}/saved-replies`)).json.saved_replies).toEqual([])
    const events = await auditEventsSince(tradepost, before)
    expect(events.map(({ action }: Json) => action)).toEqual([
      'saved_reply.create',
      'saved_reply.update',
      'saved_reply.delete',
    ])
  })

  test('has a unique name, and the list is sorted by name', async () => {
    for (const name of ['Zebra', 'Apple'])
      await expectSuccess(owner.post(`${base}/saved-replies`, { ...NEW, name }))
    const taken = await owner.post(`${base}/saved-replies`, { ...NEW, name: 'Zebra' })
    expect([taken.json.code, taken.json.details]).toMatchObject([
      'VALIDATION_FAILED',
      { field: 'name' },
    ])
    const { saved_replies } = (await viewer.get(`${base}/saved-replies`)).json
    expect(saved_replies.map(({ name }: Json) => name)).toEqual(['Apple', 'Zebra'])
    const renamed = await owner.patch(`${base}/saved-replies/${saved_replies[0].id}`, {
      name: 'Zebra',
    })
    expect(refusalOf(renamed)).toBe('VALIDATION_FAILED')
    expect(refusalOf(await owner.patch(`${base}/saved-replies/99999`, {}))).toBe('NOT_FOUND')
  })

  test('is refused if the store has 200', async () => {
    const { saved_replies } = (await viewer.get(`${base}/saved-replies`)).json
    for (let count = saved_replies.length; count < 200; count++) {
      const { status } = await owner.post(`${base}/saved-replies`, {
        ...NEW,
        name: `Reply ${count}`,
      })
      expect(status).toBe(201)
    }
    const full = await owner.post(`${base}/saved-replies`, { ...NEW, name: 'One more' })
    expect(refusalOf(full)).toBe('INVALID_STATE')
  })
})

describe('the order of a ticket', () => {
  const link = (id: number, order_id: string | null) =>
    owner.call('PUT', `${base}/ticket-orders/${id}`, { order_id })

  test('is linked and unlinked, and the ticket still waits for the seller', async () => {
    const ticket = await createTicket(tradepost, {})
    const otherOrder = await order(tradepost, (await orderOf(ticket)).items[0].product_id)
    const linked = await link(ticket.id, otherOrder.id)
    expect([linked.status, linked.json.ticket]).toMatchObject([
      200,
      { order_id: otherOrder.id, awaiting: 'seller', last_message_at: ticket.last_message_at },
    ])
    expect((await link(ticket.id, null)).json.ticket).toMatchObject({
      ...{ order_id: null, awaiting: 'seller', last_message_at: ticket.last_message_at },
    })
  })

  const orderOf = async ({ order_id }: Json): Promise<Json> =>
    (await tradepost.get(`/orders/${order_id}`)).json.order

  test('must be an order of the same store', async () => {
    const ticket = await createTicket(tradepost, {})
    const otherTicket = await createTicket(tradepost, { as: tradepost.other })
    const refused = await link(ticket.id, otherTicket.order_id)
    expect([refused.json.code, refused.json.details]).toMatchObject([
      'VALIDATION_FAILED',
      { field: 'order_id' },
    ])
    expect(refusalOf(await link(otherTicket.id, ticket.order_id))).toBe('NOT_FOUND')
  })
})

describe('a photo of a return', () => {
  const upload = (id: number, bytes: Buffer, browser = owner) =>
    browser.call(
      'POST',
      `${base}/returns/${id}/photos`,
      undefined,
      formOf([{ bytes, name: 'a.png' }]),
    )
  const photosOf = async (id: number): Promise<Json[]> =>
    (await viewer.get(`${base}/returns/${id}/photos`)).json.photos

  test('is added, shown and deleted', async () => {
    const { id } = await createReturn(tradepost, {})
    const { status, json } = await upload(id, PNG)
    expect(status, JSON.stringify(json)).toBe(201)
    expect(await photosOf(id)).toEqual([json.photo])
    const path = new URL(json.photo.url).pathname
    const download = await tradepost.server.inject({ method: 'GET', url: path })
    expect([download.statusCode, download.headers['content-type']]).toEqual([200, 'image/png'])
    expect(download.rawPayload).toEqual(PNG)
    expect((await owner.delete(`${base}/returns/${id}/photos/${json.photo.id}`)).status).toBe(200)
    expect(await photosOf(id)).toEqual([])
  })

  test('must be an image of an existing return, which has at most 20', async () => {
    const { id } = await createReturn(tradepost, {})
    for (const bytes of [MP4, Buffer.from('<svg/>')])
      expect(refusalOf(await upload(id, bytes))).toBe('VALIDATION_FAILED')
    const withoutFile = await owner.post(`${base}/returns/${id}/photos`, {})
    expect([withoutFile.status, withoutFile.json.error]).toEqual([
      422,
      'file: The request has no file. Send the photo as the field file.',
    ])
    expect(refusalOf(await upload(99_999, PNG))).toBe('NOT_FOUND')
    expect(refusalOf(await upload(id, PNG, viewer))).toBe('INSUFFICIENT_SCOPE')
    for (let count = 0; count < 20; count++) expect((await upload(id, PNG)).status).toBe(201)
    expect(refusalOf(await upload(id, PNG))).toBe('VALIDATION_FAILED')
    const otherReturn = await createReturn(tradepost, {})
    const [photo] = await photosOf(id)
    expect(
      refusalOf(await owner.delete(`${base}/returns/${otherReturn.id}/photos/${photo?.id}`)),
    ).toBe('NOT_FOUND')
  })

  test('is deleted when the customer is erased', async () => {
    const record = await createReturn(tradepost, {})
    expect((await upload(record.id, PNG)).status).toBe(201)
    const { order: returnedOrder } = (await tradepost.get(`/orders/${record.order_id}`)).json
    await expectSuccess(tradepost.post(`/customers/${returnedOrder.customer.id}/erase`, {}))
    expect(await photosOf(record.id)).toEqual([])
  })
})
