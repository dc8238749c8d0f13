import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, startFakeStripe } from '../providers/stripe.ts'
import { CREDENTIALS } from '../providers/stripe-store.ts'
import { call, type Target } from './client.ts'
import { freshDatabase, settingsFor, sharedPostgres } from './real-postgres.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const run = promisify(execFile)
const requirePostgres = sharedPostgres()

test('the credentials of a payment provider are in no dump, no backup and no log', async (context) => {
  const database = await freshDatabase(requirePostgres(context))
  const stripe = await startFakeStripe()
  const installation = await createMigratedInstallation({
    ...settingsFor(database.url),
    LOG_LEVEL: 'trace',
    TRADEPOST_STRIPE_URL: stripe.url,
  })
  try {
    const server = await installation.start()
    const { test: side } = server
    const target: Target = { origin: server.origin, store: side.id, key: side.api_key ?? '' }
    const path = '/account/payment-providers/stripe'
    const connected = await call(target, 'PUT', path, { body: CREDENTIALS })
    expect(connected.status, connected.text).toBe(200)
    // Texts of Stripe that repeat the key must not be logged either.
    await payFor(target, 201)
    stripe.misbehaviours.push('error_500')
    await payFor(target, 503)
    stripe.misbehaviours.push('error_400')
    await payFor(target, 422)
    stripe.misbehaviours.push('unauthorized')
    await payFor(target, 503)

    const { stdout: dump } = await run('pg_dump', [database.url], { maxBuffer: 2 ** 27 })
    const file = join(dirname(installation.dataDir), 'shop.backup')
    expect((await installation.run(['backup', file])).code).toBe(0)
    const backup = gunzipSync(await readFile(file)).toString()
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    const texts = { dump, backup, log: server.stdout() + server.stderr() }
    expect(texts.dump).toContain('payment_provider')
    expect(texts.log).toContain('Stripe: ')
    for (const [name, text] of Object.entries(texts))
      for (const secret of [STRIPE_KEY, STRIPE_WEBHOOK_SECRET])
        for (const form of [secret, ...encoded(secret)])
          expect(text.includes(form), `${form} in the ${name}`).toBe(false)
  } finally {
    await installation.close()
    await stripe.close()
    await database.drop()
  }
})

/** Starts a payment by card of a new order. */
async function payFor(target: Target, status: number): Promise<void> {
  const post = (path: string, body: Json) => call(target, 'POST', path, { body })
  const { json } = await post('/products', { name: 'Service', type: 'service', price_cents: 500 })
  const items = [{ product_id: json.product.id, quantity: 1 }]
  const { order } = (await post('/orders', { items, customer: { email: 'ada@example.com' } })).json
  const answer = await post(`/orders/${order.id}/payments`, { method: 'card' })
  expect(answer.status, answer.text).toBe(status)
}

/** Returns the forms of a text in columns of bytes. The first character may share its base64 with another. */
const encoded = (text: string): string[] => [
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').slice(4, -4),
]
