import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { order, product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

async function createTicket(fields: Json = {}): Promise<Json> {
  const body = { email: 'Eve@Example.com', subject: 'Help', message: 'It is broken.', ...fields }
  const { status, json, text } = await tradepost.post('/tickets', body)
  expect(status, text).toBe(201)
  return json.ticket
}

const postMessage = (id: number, body: Json) => tradepost.post(`/tickets/${id}/messages`, body)

test('a new ticket has the message of the customer, awaits the seller, and emits no event', async () => {
  await tradepost.events()
  const ticket = await createTicket()
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

test('a ticket has the id of its order, and of the customer with its email', async () => {
  const { id } = await product(tradepost, { type: 'service' })
  const newOrder = await order(tradepost, id, { customer: { email: 'bob@example.com' } })
  const ticket = await createTicket({ email: 'bob@example.com', order_id: newOrder.id })
  expect(ticket).toMatchObject({ customer: { id: newOrder.customer.id }, order_id: newOrder.id })
})

test('a ticket awaits the other party after a message of the seller or the customer', async () => {
  const { id } = await createTicket()
  const sellerMessage = await postMessage(id, { body: 'Try it again.' })
  expect(sellerMessage.status).toBe(201)
  expect(sellerMessage.json).toMatchObject({
    message: { author: 'seller', body: 'Try it again.' },
    ticket: { awaiting: 'customer', message_count: 2 },
  })
  expect(sellerMessage.json.ticket.last_message_at).toBe(sellerMessage.json.message.created_at)
  const customerMessage = await postMessage(id, { body: 'No change.', author: 'customer' })
  expect(customerMessage.json.ticket).toMatchObject({ awaiting: 'seller', message_count: 3 })
  expect(customerMessage.json.ticket.messages.map((item: Json) => item.author)).toEqual([
    'customer',
    'seller',
    'customer',
  ])
})

test('nobody writes as the system', async () => {
  const { id } = await createTicket()
  const { status, json } = await postMessage(id, { body: 'Notice.', author: 'system' })
  expect([status, json.details.field]).toEqual([422, 'author'])
})

describe('a closed ticket', () => {
  test('accepts no message and awaits neither party until it is reopened', async () => {
    const { id } = await createTicket()
    await expectSuccess(postMessage(id, { body: 'Done.' }))
    const closure = await tradepost.post(`/tickets/${id}/close`)
    expect([closure.status, closure.json.ticket]).toMatchObject([
      200,
      { status: 'closed', awaiting: null, closed_at: expect.any(String), message_count: 2 },
    ])
    const refusal = await postMessage(id, { body: 'One more thing.' })
    expect([refusal.status, refusal.json.code, refusal.json.details.status]).toEqual([
      409,
      'INVALID_STATE',
      'closed',
    ])
    expect((await tradepost.post(`/tickets/${id}/close`)).json.code).toBe('INVALID_STATE')
    const reopenedTicket = (await tradepost.post(`/tickets/${id}/reopen`)).json.ticket
    expect(reopenedTicket).toMatchObject({ status: 'open', awaiting: 'customer', closed_at: null })
    expect((await tradepost.post(`/tickets/${id}/reopen`)).json.details.status).toBe('open')
    expect((await postMessage(id, { body: 'One more thing.' })).status).toBe(201)
  })

  test('awaits the seller after it is reopened, if the customer wrote last before the system', async () => {
    const { id } = await createTicket()
    const { message } = await expectSuccess(postMessage(id, { body: 'Notice.' }))
    await sql`update ticket_message set author = 'system' where id = ${message.id}`.execute(
      tradepost.db,
    )
    await expectSuccess(tradepost.post(`/tickets/${id}/close`))
    expect((await tradepost.post(`/tickets/${id}/reopen`)).json.ticket.awaiting).toBe('seller')
  })
})

test.each([
  ['a subject of 256 characters', { subject: 'x'.repeat(256) }, 'subject'],
  ['a message of 10001 characters', { message: 'x'.repeat(10_001) }, 'message'],
  ['no email address', { email: 'eve' }, 'email'],
  ['an unknown order', { order_id: 'ord_0000000000000000000001' }, 'order_id'],
  ['an unknown field', { priority: 'high' }, 'priority'],
])('a ticket with %s is refused, and the error names the field', async (_, fields, field) => {
  const body = { email: 'eve@example.com', subject: 'Help', message: 'Hi.', ...fields }
  const { status, json } = await tradepost.post('/tickets', body)
  expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
})

test('a message that is too long, or has an unknown author or ticket, is refused', async () => {
  const { id } = await createTicket()
  expect((await postMessage(id, { body: 'x'.repeat(10_001) })).json.details.field).toBe('body')
  expect((await postMessage(id, { body: 'x', author: 'bot' })).json.details.field).toBe('author')
  expect((await postMessage(999_999, { body: 'x' })).status).toBe(404)
})

test('tickets are listed without messages, filtered by email, status and awaiting, and counted in the stats', async () => {
  const readStats = async () => (await tradepost.get('/tickets')).json.stats
  const before = await readStats()
  const email = 'list@example.com'
  const [unansweredTicket, answeredTicket, closedTicket] = [
    await createTicket({ email }),
    await createTicket({ email }),
    await createTicket({ email }),
  ]
  await expectSuccess(postMessage(answeredTicket?.id, { body: 'Done.' }))
  await expectSuccess(tradepost.post(`/tickets/${closedTicket?.id}/close`))
  const listTickets = async (query: string) =>
    (await tradepost.get(`/tickets?email=LIST@example.com&${query}`)).json.tickets
  const listIds = async (query: string) => (await listTickets(query)).map((item: Json) => item.id)
  expect(await listIds('')).toEqual([closedTicket?.id, answeredTicket?.id, unansweredTicket?.id])
  expect(await listIds('status=closed')).toEqual([closedTicket?.id])
  expect(await listIds('awaiting=seller')).toEqual([unansweredTicket?.id])
  expect(await listIds('awaiting=seller,customer')).toEqual([
    answeredTicket?.id,
    unansweredTicket?.id,
  ])
  expect(await listIds('sort=waiting')).toEqual([
    unansweredTicket?.id,
    answeredTicket?.id,
    closedTicket?.id,
  ])
  expect((await tradepost.get('/tickets?sort=subject')).json.details.field).toBe('sort')
  expect((await listTickets(''))[0]).not.toHaveProperty('messages')
  const after = await readStats()
  const increase = Object.fromEntries(
    Object.entries<number>(after).map(([name, count]) => [name, count - before[name]]),
  )
  expect(increase).toEqual({
    total: 3,
    open: 2,
    closed: 1,
    awaiting_seller: 1,
    awaiting_customer: 1,
  })
})

test('sorted by waiting, the ticket that waits longest comes first', async () => {
  const email = 'long@example.com'
  const first = await createTicket({ email })
  const second = await createTicket({ email })
  const sortedIds = async () =>
    (await tradepost.get(`/tickets?email=${email}&sort=waiting`)).json.tickets.map(
      (item: Json) => item.id,
    )
  expect(await sortedIds()).toEqual([first.id, second.id])
  await expectSuccess(postMessage(first.id, { body: 'One more thing.', author: 'customer' }))
  expect(await sortedIds()).toEqual([second.id, first.id])
})
