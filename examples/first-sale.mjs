// A seller's first sale in seven steps: product, stock keys, webhook endpoint, order, manual payment,
// delivery, and the signed webhook that reports it. It sells on the test side of the store, and deletes its webhook
// endpoint and its key at the end. No dependencies. Needs Node 20.19 or newer.
//
//   npm start                       in one terminal
//   node examples/first-sale.mjs    in another
//
// With an installed package: node node_modules/tradepost/examples/first-sale.mjs, in the folder of the server.
import { execFileSync } from 'node:child_process'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WAIT_MS = 20_000
const TOLERANCE_S = 300
const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The data of a server is in the folder in which it was started. */
const FOLDERS = process.env.DATA_DIR ? [process.env.DATA_DIR] : ['data', join(ROOT, 'data')]
const READY_FILES = FOLDERS.map((folder) => join(folder, 'ready.json'))
const READY_FILE =
  process.env.TRADEPOST_READY_FILE ?? READY_FILES.find((file) => existsSync(file)) ?? READY_FILES[0]

const ready = readReadyFile()
const { store, key, keyId } = credentials()
const run = randomUUID().slice(0, 8)
const keys = [1, 2, 3].map((n) => `FIRST-SALE-${run}-${n}`)

const receiver = await startReceiver()
/** The webhook endpoint of this run. It is deleted at the end. */
let endpoint
try {
  await sell()
} catch (error) {
  process.stderr.write(`The first sale failed: ${error.message}\n`)
  process.exitCode = 1
} finally {
  await cleanUp().catch(({ message }) => process.stderr.write(`${message}\n`))
}

async function cleanUp() {
  receiver.close()
  if (endpoint) await call('DELETE', `/webhooks/${endpoint}`)
  if (keyId) tradepost('keys', 'revoke', keyId)
}

async function sell() {
  const { product, variants } = await post('/products', {
    name: `First sale ${run}`,
    price_cents: 1999,
  })
  const [variant] = variants
  step(
    1,
    `product ${product.id} "${product.name}" for ${money(product.price_cents, product.currency)}`,
  )

  const { added } = await post(`/products/${product.id}/variants/${variant.id}/keys`, { keys })
  expect(added === keys.length, `${keys.length} keys were sent, ${added} were added`)
  step(2, `${added} stock keys, encrypted at rest`)

  const { webhook, secret } = await post('/webhooks', {
    url: receiver.url,
    events: ['order.completed'],
  })
  endpoint = webhook.id
  step(
    3,
    `webhook ${webhook.id} to ${webhook.url}; the secret ${secret.slice(0, 10)}… is shown once`,
  )

  const { order } = await post('/orders', {
    items: [{ product_id: product.id, quantity: 2 }],
    customer: { email: 'ada@example.com' },
  })
  expect(order.status === 'pending' && order.total_cents === 3998, `the order is ${order.status}`)
  step(
    4,
    `order #${order.number} ${order.id}: ${order.status}, stock held until ${order.expires_at}`,
  )

  const paid = await post(`/orders/${order.id}/manual-payments`, {
    reference: 'Bank transfer 4711',
  })
  expect(paid.order.status === 'completed', `the paid order is ${paid.order.status}`)
  step(5, `paid ${money(paid.payment.amount_cents, paid.payment.currency)}: ${paid.order.status}`)

  const delivered = paid.order.deliveries.flatMap((delivery) => delivery.keys)
  expect(isEqual(delivered, keys.slice(0, 2)), `other keys were delivered: ${delivered.join(', ')}`)
  step(6, `delivered the oldest keys: ${delivered.join(', ')}`)

  const { headers, body } = await receiver.next()
  expect(
    isSigned(headers['service-signature'], body, secret),
    'the signature of the webhook is wrong',
  )
  const event = JSON.parse(body)
  expect(
    event.type === 'order.completed' && event.data.object.id === order.id,
    `a ${event.type} arrived`,
  )
  expect(event.data.object.total === 39.98, `the webhook says ${event.data.object.total}`)
  expect(
    isEqual(event.data.object.deliveries[0].keys, delivered),
    'the webhook has other keys than the order',
  )
  step(7, `webhook ${headers['service-event-id']} received, signature verified`)

  process.stdout.write('\nThe first sale is complete.\n')
}

function readReadyFile() {
  try {
    return JSON.parse(readFileSync(READY_FILE, 'utf8'))
  } catch {
    stop(`${READY_FILE} cannot be read. Start Tradepost first: npm start`)
  }
}

/** The ready file has API keys only at the first start. Later, a key is read from the environment or created. */
function credentials() {
  const { TRADEPOST_API_KEY, TRADEPOST_STORE } = process.env
  const side = ready.stores?.find(({ livemode }) => !livemode)
  if (side?.api_key) return { store: side.id, key: side.api_key }
  if (TRADEPOST_API_KEY && TRADEPOST_STORE)
    return { store: TRADEPOST_STORE, key: TRADEPOST_API_KEY }
  if (!side) stop('There is no store yet. Start Tradepost with its demo store: npm start')
  const permissions = 'products:write,stock:write,orders:write,webhooks:write'
  const options = ['--store', side.id, '--permissions', permissions, '--name', 'First sale']
  const created = tradepost('keys', 'create', ...options)
  return { store: side.id, key: created.key, keyId: created.id }
}

/** Runs a command of the server, and returns its answer. */
function tradepost(...command) {
  const env = { DATA_DIR: dirname(READY_FILE), ...process.env }
  const program = join(ROOT, 'bin', 'tradepost.mjs')
  const options = { env, encoding: 'utf8' }
  return JSON.parse(execFileSync(process.execPath, [program, ...command, '--json'], options))
}

async function call(method, path, body) {
  const response = await fetch(ready.store_api + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      'x-api-key': key,
      'x-store-hash': store,
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!answer.success) fail(`${method} ${path}: ${response.status} ${answer.code}, ${answer.error}`)
  return answer
}

function post(path, body) {
  return call('POST', path, body)
}

/** Starts a server that keeps the raw bytes, because the signature is verified before the JSON is parsed. */
async function startReceiver() {
  const waiters = []
  const received = []
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      response.end('ok')
      const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() }
      const waiter = waiters.shift()
      if (waiter) waiter(delivery)
      else received.push(delivery)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    close: () => server.close(),
    next: () =>
      new Promise((resolve, reject) => {
        const first = received.shift()
        if (first) return resolve(first)
        const timer = setTimeout(
          () => reject(new Error(`no webhook arrived within ${WAIT_MS / 1000} s`)),
          WAIT_MS,
        )
        waiters.push((delivery) => {
          clearTimeout(timer)
          resolve(delivery)
        })
      }),
  }
}

/** Verifies `t=<unix seconds>,v1=<hex of HMAC-SHA256 over "<t>.<raw body>">`, at most 300 seconds old. */
function isSigned(header, body, secret) {
  const parts = header.split(',').map((part) => part.split('='))
  const t = Number(parts.find(([name]) => name === 't')?.[1])
  if (Math.abs(Date.now() / 1000 - t) > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest()
  return parts.some(([name, value]) => {
    const signature = Buffer.from(value, 'hex')
    return (
      name === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected)
    )
  })
}

function money(cents, currency) {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100)
}

function isEqual(left, right) {
  return JSON.stringify(left) === JSON.stringify(right)
}

function step(number, text) {
  process.stdout.write(`${number}  ${text}\n`)
}

function expect(condition, message) {
  if (!condition) fail(message)
}

function fail(why) {
  throw new Error(why)
}

/** Exits before there is anything to clean up. */
function stop(why) {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
