import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { signedIn } from '../../../test/browser-session.ts'
import { now_s } from '../../../test/clock.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { webhookCommands } from './index.ts'
import { endpointSecretSealContext } from './sealed.ts'

const PREFIX = 'whsec_'

let tradepost: Tradepost
let receiver: Receiver
let secret: string
let webhook: Json
let deliveryId: string
/** The signature header of the delivery, as the receiver got it. */
let header: string
let body: string

beforeAll(async () => {
  tradepost = await openTradepost()
  receiver = await openReceiver()
  const { json } = await tradepost.post('/webhooks', {
    url: receiver.url,
    events: ['order.completed'],
  })
  secret = json.secret
  webhook = json.webhook
  const sample = await tradepost.post(`/webhooks/${webhook.id}/test`)
  deliveryId = String(sample.json.delivery.id)
  const [request] = receiver.received
  header = String(request?.headers['service-signature'])
  body = String(request?.body)
})
afterEach(async () => {
  await sql`update webhook_endpoint set prev_secret_enc = null`.execute(tradepost.db)
})
afterAll(async () => {
  await receiver.close()
  await tradepost.close()
})

const explain = (options: Json = {}): Promise<Json> => {
  const command = webhookCommands.find(({ name }) => name === 'webhooks explain')
  const input = { store: tradepost.live.id, delivery: deliveryId, ...options }
  return command?.run(tradepost.app, input) ?? Promise.reject(new Error('No command.'))
}
const findings = async (input: Json): Promise<string> => (await explain(input)).findings.join('\n')

const sign = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('hex')
/** Returns the header that a receiver computes for this text. */
const headerFor = (text: string, key: string | Buffer = secret, t = now_s()) =>
  `t=${t},v1=${sign(key, `${t}.${text}`)}`

async function setPreviousSecret(previousSecret: string) {
  const { rows } = await sql<{ store_id: number }>`
    select store_id from webhook_endpoint where public_id = ${webhook.id}`.execute(tradepost.db)
  const sealedSecret = tradepost.app.vault.seal(
    endpointSecretSealContext(rows[0]?.store_id ?? 0, webhook.id),
    previousSecret,
  )
  await sql`update webhook_endpoint set prev_secret_enc = ${sealedSecret}`.execute(tradepost.db)
}

test('an explanation shows the signed string, the key, the HMAC and the header, step by step', async () => {
  const { steps } = await explain({ header })
  const [, t] = /^t=(\d+)/.exec(header) ?? []
  expect(steps).toEqual([
    `The body is ${Buffer.byteLength(body)} bytes: ${body.slice(0, 80)}…`,
    `The signed string is "${t}." and then these bytes, as they are.`,
    `The key is the whole secret, "${secret.slice(0, 10)}…", as text.`,
    `HMAC-SHA256 in hex: ${sign(secret, `${t}.${body}`)}`,
    `Service-Signature: ${header}`,
  ])
  expect(JSON.stringify(steps)).not.toContain(secret)
})

test('for a valid header the finding is that the receiver must verify the raw bytes', async () => {
  expect(await findings({ header, secret })).toMatch(
    /^The signature matches the stored bytes and the current secret\..*verify the raw bytes/,
  )
})

test.each([
  [
    "was serialized by Python's json.dumps",
    "Python's json.dumps",
    () => pythonDumps(JSON.parse(body)),
  ],
  ['was indented by two spaces', 'two spaces', () => JSON.stringify(JSON.parse(body), null, 2)],
  ['got a line break at its end', 'a line break', () => `${body}\n`],
])('a signature over a body that %s is recognised', async (_, finding, rewrite) => {
  const text = await findings({ header: headerFor(rewrite()), secret })
  expect(text).toContain(finding)
  expect(text).toContain('Verify the raw bytes')
})

test('the secret before the last roll is recognised, as a secret and in a signature', async () => {
  const previousSecret = 'whsec_Zm9ybWVyIGZvcm1lciBmb3JtZXI='
  expect(await findings({ secret: previousSecret })).toContain('not the secret of the endpoint')
  await setPreviousSecret(previousSecret)
  expect(await findings({ secret: previousSecret })).toContain(
    'from before the last roll; use the new',
  )
  expect(await findings({ header: headerFor(body, previousSecret) })).toContain(
    'signed with the secret from before the last roll',
  )
})

test.each([
  ['has a line break', 'has a space or a line break', () => `${secret}\n`],
  ['lacks whsec_', 'lacks whsec_', () => secret.slice(PREFIX.length)],
  ['belongs to another endpoint', 'not the secret of the endpoint', () => 'whsec_other'],
])('a secret that %s is reported', async (_, finding, secretOf) => {
  expect(await findings({ secret: secretOf() })).toContain(finding)
})

test('a header of another endpoint matches the secret that was sent with it', async () => {
  const otherSecret = 'whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI='
  const text = await findings({ header: headerFor(body, otherSecret), secret: otherSecret })
  expect(text).toContain('belongs to another endpoint')
})

test('an old signature is reported with its time, and a wrong clock of the receiver with its offset', async () => {
  const oldHeader = headerFor(body, secret, now_s() - 4_000)
  expect(await findings({ header: oldHeader })).toMatch(
    /^It was signed 4\d{3} seconds ago, at \d{4}-.*Z; more than 300 is refused\..*\nThe signature matches/,
  )
  const futureHeader = headerFor(body, secret, now_s() + 4_000)
  expect(await findings({ header: futureHeader })).toMatch(
    /^It was signed (4000|39\d\d) seconds in the future, at /,
  )
  const clockAhead = String(now_s() + 900)
  expect(await findings({ header, clock: clockAhead })).toMatch(
    /^The receiver's clock is (900|8\d\d) seconds ahead of ours; more than 300 is refused\.\n/,
  )
  // The tolerance is 300 s. The test itself may take a second.
  expect(await findings({ clock: String(now_s() + 298) })).toMatch(
    /^The given values have no error/,
  )
  expect(await findings({ clock: String(now_s() - 302) })).toMatch(/seconds behind ours/)
  const clockBehind = String(now_s() - 900)
  expect(await findings({ clock: clockBehind })).toMatch(/clock is 9\d\d seconds behind ours/)
  expect(await findings({ clock: String(now_s()) })).toBe('The given values have no error.')
  await expect(explain({ clock: 'noon' })).rejects.toMatchObject({ exitCode: 2 })
})

test.each([
  ['the body alone', () => sign(secret, body)],
  ['The dot between t and the body is missing', (t: number) => sign(secret, `${t}${body}`)],
  ['in milliseconds', (t: number) => sign(secret, `${t}000.${body}`)],
  ['The key lacks whsec_', (t: number) => sign(secret.slice(PREFIX.length), `${t}.${body}`)],
  [
    'decoded from base64',
    (t: number) => sign(Buffer.from(secret.slice(PREFIX.length), 'base64'), `${t}.${body}`),
  ],
])('the finding about a wrongly computed signature contains "%s"', async (finding, signWrongly) => {
  const t = now_s()
  expect(await findings({ header: `t=${t},v1=${signWrongly(t)}` })).toContain(finding)
})

test.each([
  ['that was sent, byte by byte', () => body],
  [
    "serialized again, as by Python's json.dumps. It differs from byte",
    () => pythonDumps(JSON.parse(body)),
  ],
  ['serialized again. It differs from byte', () => body.replace(',', ' ,')],
  ['The body got a line break at its end. It differs from byte', () => `${body}\n`],
  ['is another one', () => '{"id":1}'],
  ['received nothing', () => body.slice(0, -1)],
])('the finding about a received body contains "%s"', async (finding, receivedBody) => {
  const owner = await signedIn(tradepost)
  const path = `/stores/${tradepost.live.id}/events/deliveries/${deliveryId}/explain`
  const { status, json } = await owner.post(path, { body: receivedBody() })
  expect(status).toBe(200)
  expect(json.findings.join('\n')).toContain(finding)
})

test('the dashboard explains a delivery only to users who may change endpoints', async () => {
  const path = `/stores/${tradepost.live.id}/events/deliveries`
  const owner = await signedIn(tradepost)
  const explanation = await owner.post(`${path}/${deliveryId}/explain`, {
    header,
    clock: now_s() - 400,
  })
  expect(explanation.json.findings.join('\n')).toMatch(
    /clock is 4\d\d seconds behind.*\nThe signature matches/,
  )
  expect(explanation.json.steps.at(-1)).toBe(`Service-Signature: ${header}`)
  expect(explanation.text).not.toContain(secret)
  expect((await owner.post(`${path}/1/explain`, {})).json.code).toBe('NOT_FOUND')
  const viewer = await signedIn(tradepost, 'viewer')
  const refusal = await viewer.post(`${path}/${deliveryId}/explain`, {})
  expect(refusal.json.code).toBe('INSUFFICIENT_SCOPE')
})

test('a header that is truncated, or matches nothing, is reported', async () => {
  expect(await findings({ header: header.replace(/^t=\d+,/, '') })).toContain('no t=')
  expect(await findings({ header: header.replace(/v1=../, 'v1=zz') })).toContain('matches neither')
})

test('a delivery of another store is not found', async () => {
  await expect(explain({ store: tradepost.other.id })).rejects.toThrow('not found')
})

/** The form of Python's serializer, except for non-ASCII characters. */
function pythonDumps(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonDumps).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, item]) => `"${key}": ${pythonDumps(item)}`)
  return `{${parts.join(', ')}}`
}
