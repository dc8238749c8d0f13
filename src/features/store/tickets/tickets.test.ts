import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import { type Json, openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function open(fields: Json = {}): Promise<Json> {
  const body = { email: 'Eve@Example.com', subject: 'Help', message: 'It is broken.', ...fields }
  const { status, json, text } = await tradepost.post('/tickets', body)
  expect(status, text).toBe(201)
  return json.ticket
}

const post = (id: number, body: Json) => tradepost.post(`/tickets/${id}/messages`, body)

test('a ticket opens with the message of the customer and awaits the seller; no event is sent', async () => {
  await tradepost.events()
  const ticket = await open()
  expect(ticket).toEqual({
    id: expect.any(Number),
    object: 'ticket',
    subject: 'Help',
    status: 'open',
    awaiting: 'seller',
    customer: { id: null, email: 'eve@example.com' },
    order_id: null,
    message_count: 1,
    last_message_at: ticket.created_at,
    messages: [
      {
        id: expect.any(Number),
        author: 'customer',
        body: 'It is broken.',
        created_at: ticket.created_at,
      },
    ],
    closed_at: null,
    created_at: expect.any(String),
    updated_at: ticket.created_at,
  })
  expect(await tradepost.events()).toEqual([])
  expect((await tradepost.get(`/tickets/${ticket.id}`)).json.ticket).toEqual(ticket)
})

test('a ticket names its order, and the customer with its address', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const bought = await order(tradepost, id, { customer: { email: 'bob@example.com' } })
  const ticket = await open({ email: 'bob@example.com', order_id: bought.id })
  expect(ticket).toMatchObject({ customer: { id: bought.customer.id }, order_id: bought.id })
})

test('a message of the seller awaits the customer, one of the customer the seller, a notice no one', async () => {
  const { id } = await open()
  const first = await post(id, { body: 'Try it again.' })
  expect(first.status).toBe(201)
  expect(first.json).toMatchObject({
    message: { author: 'seller', body: 'Try it again.' },
    ticket: { awaiting: 'customer', message_count: 2 },
  })
  expect(first.json.ticket.last_message_at).toBe(first.json.message.created_at)
  const notice = await post(id, { body: 'The order was shipped.', author: 'system' })
  expect(notice.json.ticket).toMatchObject({ awaiting: 'customer', message_count: 3 })
  const second = await post(id, { body: 'No change.', author: 'customer' })
  expect(second.json.ticket).toMatchObject({ awaiting: 'seller', message_count: 4 })
  expect(second.json.ticket.messages.map((item: Json) => item.author)).toEqual([
    'customer',
    'seller',
    'system',
    'customer',
  ])
})

describe('a closed ticket', () => {
  test('awaits no one and takes no message until it is reopened', async () => {
    const { id } = await open()
    await post(id, { body: 'Done.' })
    const closed = await tradepost.post(`/tickets/${id}/close`)
    expect([closed.status, closed.json.ticket]).toMatchObject([
      200,
      { status: 'closed', awaiting: null, closed_at: expect.any(String), message_count: 2 },
    ])
    const refused = await post(id, { body: 'One more thing.' })
    expect([refused.status, refused.json.code, refused.json.details.status]).toEqual([
      409,
      'INVALID_STATE',
      'closed',
    ])
    expect((await tradepost.post(`/tickets/${id}/close`)).json.code).toBe('INVALID_STATE')
    const reopened = (await tradepost.post(`/tickets/${id}/reopen`)).json.ticket
    expect(reopened).toMatchObject({ status: 'open', awaiting: 'customer', closed_at: null })
    expect((await tradepost.post(`/tickets/${id}/reopen`)).json.details.status).toBe('open')
    expect((await post(id, { body: 'One more thing.' })).status).toBe(201)
  })

  test('awaits the seller again if the customer wrote last', async () => {
    const { id } = await open()
    await post(id, { body: 'Notice.', author: 'system' })
    await tradepost.post(`/tickets/${id}/close`)
    expect((await tradepost.post(`/tickets/${id}/reopen`)).json.ticket.awaiting).toBe('seller')
  })
})

test.each([
  ['a subject of 256 characters', { subject: 'x'.repeat(256) }, 'subject'],
  ['a message of 10001 characters', { message: 'x'.repeat(10_001) }, 'message'],
  ['no e-mail address', { email: 'eve' }, 'email'],
  ['an unknown order', { order_id: 'ord_0000000000000000000001' }, 'order_id'],
  ['an unknown field', { priority: 'high' }, 'priority'],
])('a ticket with %s is refused, and its field is named', async (_, fields, field) => {
  const body = { email: 'eve@example.com', subject: 'Help', message: 'Hi.', ...fields }
  const { status, json } = await tradepost.post('/tickets', body)
  expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test('a message too long, or of an unknown author, is refused', async () => {
  const { id } = await open()
  expect((await post(id, { body: 'x'.repeat(10_001) })).json.details.field).toBe('body')
  expect((await post(id, { body: 'x', author: 'bot' })).json.details.field).toBe('author')
  expect((await post(999_999, { body: 'x' })).status).toBe(404)
})

test('the list is filtered, shows no messages, and stats follow every change', async () => {
  const stats = async () => (await tradepost.get('/tickets')).json.stats
  const before = await stats()
  const email = 'list@example.com'
  const [waits, answered, closed] = [
    await open({ email }),
    await open({ email }),
    await open({ email }),
  ]
  await post(answered?.id, { body: 'Done.' })
  await tradepost.post(`/tickets/${closed?.id}/close`)
  const list = async (query: string) =>
    (await tradepost.get(`/tickets?email=LIST@example.com&${query}`)).json.tickets
  const ids = async (query: string) => (await list(query)).map((item: Json) => item.id)
  expect(await ids('')).toEqual([closed?.id, answered?.id, waits?.id])
  expect(await ids('status=closed')).toEqual([closed?.id])
  expect(await ids('awaiting=seller')).toEqual([waits?.id])
  expect(await ids('awaiting=seller,customer')).toEqual([answered?.id, waits?.id])
  expect((await list(''))[0]).not.toHaveProperty('messages')
  const after = await stats()
  const grown = Object.fromEntries(
    Object.entries<number>(after).map(([name, count]) => [name, count - before[name]]),
  )
  expect(grown).toEqual({ total: 3, open: 2, closed: 1, awaiting_seller: 1, awaiting_customer: 1 })
})
