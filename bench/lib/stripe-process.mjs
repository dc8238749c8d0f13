// A server that speaks as much of Stripe as the benchmark of payments needs. It runs in a process of its own, whose
// processor time is not counted. A session is paid as soon as it is read, unless its id begins with `cs_open`.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const sessions = new Map()
/** Questions about sessions that stay open. */
let openQuestions = 0
let isHanging = false

const server = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request))
  const { pathname } = new URL(request.url, 'http://127.0.0.1')
  if (isHanging) return
  const answer = answerOf(request.method, pathname, form)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})

function answerOf(method, pathname, form) {
  if (pathname === '/v1/account')
    return { id: 'acct_1', object: 'account', settings: { dashboard: { display_name: 'Bench' } } }
  if (method === 'POST') return create(form)
  const id = pathname.split('/').at(-1)
  if (!id.startsWith('cs_open')) return paidSession(sessions.get(id))
  openQuestions++
  return openSession(id)
}

function create(form) {
  const id = `cs_${sessions.size + 1}`
  const amount_total = Number(form.get('line_items[0][price_data][unit_amount]'))
  const currency = form.get('line_items[0][price_data][currency]')
  const session = openSession(id, {
    amount_total,
    currency,
    expires_at: Number(form.get('expires_at')),
  })
  sessions.set(id, session)
  return session
}

const openSession = (
  id,
  { amount_total = 1_000, currency = 'usd', expires_at = 2_000_000_000 } = {},
) => ({
  id,
  status: 'open',
  payment_status: 'unpaid',
  amount_total,
  currency,
  expires_at,
  url: `https://stripe.example/${id}`,
})

function paidSession(session) {
  const { id, amount_total, currency } = session
  const latest_charge = {
    amount_refunded: 0,
    disputed: false,
    balance_transaction: { fee: 59, currency },
  }
  const payment_intent = {
    id: `pi_${id}`,
    status: 'succeeded',
    amount_received: amount_total,
    currency,
    latest_charge,
  }
  return { ...session, status: 'complete', payment_status: 'paid', url: null, payment_intent }
}

const ACTIONS = {
  listen: () =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
    }),
  hang(details) {
    isHanging = details.isHanging
  },
  countOpenQuestions: () => openQuestions,
}

process.on('message', async ({ id, action, ...details }) => {
  process.send({ id, answer: await ACTIONS[action](details) })
})
process.once('disconnect', () => process.exit())
