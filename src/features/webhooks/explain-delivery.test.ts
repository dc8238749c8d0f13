import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { signedIn } from '../../../test/browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../../../test/harness.ts'
import { openReceiver, type Receiver } from '../../../test/receiver.ts'
import { webhookCommands } from './index.ts'
import { endpointSecretSealContext } from './sealed.ts'

let tradepost: Tradepost
let receiver: Receiver
let secret: string
let webhook: Json
let delivery: string
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
  const sent = await tradepost.post(`/webhooks/${webhook.id}/test`)
  delivery = String(sent.json.delivery.id)
  const [arrived] = receiver.received
  header = String(arrived?.headers['service-signature'])
  body = String(arrived?.body)
})
afterEach(async () => {
  await sql`update webhook_endpoint set prev_secret_enc = null`.execute(tradepost.db)
})
afterAll(async () => {
  await receiver.close()
  await tradepost.close()
})

const explain = (given: Json = {}): Promise<Json> => {
  const command = webhookCommands.find(({ name }) => name === 'webhooks explain')
  const input = { store: tradepost.live.id, delivery, ...given }
  return command?.run(tradepost.app, input) ?? Promise.reject(new Error('No command.'))
}
const findings = async (given: Json): Promise<string> => (await explain(given)).findings.join('\n')

const now_s = () => Math.floor(Date.now() / 1_000)
const sign = (key: string | Buffer, signed: string) =>
  createHmac('sha256', key).update(signed).digest('hex')
/** The header that a receiver computes for this text. */
const computed = (text: string, key: string | Buffer = secret, t = now_s()) =>
  `t=${t},v1=${sign(key, `${t}.${text}`)}`

async function roll(former: string) {
  const { rows } = await sql<{ store_id: number }>`
    select store_id from webhook_endpoint where public_id = ${webhook.id}`.execute(tradepost.db)
  const sealed = tradepost.app.vault.seal(
    endpointSecretSealContext(rows[0]?.store_id ?? 0, webhook.id),
    former,
  )
  await sql`update webhook_endpoint set prev_secret_enc = ${sealed}`.execute(tradepost.db)
}

test('it shows the signed string, the key, the HMAC and the header, step by step', async () => {
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

test('a valid header means that the code of the receiver parses the body before it verifies it', async () => {
  expect(await findings({ header, secret })).toMatch(
    /^The signature fits the stored bytes and the secret of now\..*verify the raw bytes/,
  )
})

test.each([
  ["Python's json.dumps", () => pythonDumps(JSON.parse(body))],
  ['two spaces', () => JSON.stringify(JSON.parse(body), null, 2)],
  ['a line break', () => `${body}\n`],
])(
  'a signature over a body that was serialized again, by %s, is recognised',
  async (by, rewritten) => {
    const found = await findings({ header: computed(rewritten()), secret })
    expect(found).toContain(by)
    expect(found).toContain('verify the raw bytes')
  },
)

test('the secret from before the last roll is recognised, as a secret and in a signature', async () => {
  const former = 'whsec_Zm9ybWVyIGZvcm1lciBmb3JtZXI='
  expect(await findings({ secret: former })).toContain('not the secret of the endpoint')
  await roll(former)
  expect(await findings({ secret: former })).toContain('from before the last roll; use the new')
  expect(await findings({ header: computed(body, former) })).toContain(
    'signed with the secret from before the last roll',
  )
})

test.each([
  ['has a space or a line break', () => `${secret}\n`],
  ['lacks whsec_', () => secret.slice(6)],
  ['not the secret of the endpoint', () => 'whsec_other'],
])('a secret that %s is reported', async (said, given) => {
  expect(await findings({ secret: given() })).toContain(said)
})

test('a header of another endpoint matches the secret that was sent with it', async () => {
  const other = 'whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI='
  const found = await findings({ header: computed(body, other), secret: other })
  expect(found).toContain('that of another endpoint')
})

test('clock skew: an old signature is reported with its time, and a wrong clock with its offset', async () => {
  const old = computed(body, secret, now_s() - 4_000)
  expect(await findings({ header: old })).toMatch(
    /^It was signed 400\d seconds ago, at \d{4}-.*Z; over 300 is refused\..*\nThe signature fits/,
  )
  const ahead = String(now_s() + 900)
  expect(await findings({ header, clock: ahead })).toMatch(
    /^The receiver's clock is (900|899) seconds ahead of ours; over 300 is refused\.\n/,
  )
  expect(await findings({ clock: String(now_s() + 298) })).toMatch(/^Nothing is wrong/)
  expect(await findings({ clock: String(now_s() - 302) })).toMatch(/seconds behind ours/)
  const behind = String(now_s() - 900)
  expect(await findings({ clock: behind })).toMatch(/clock is 90\d seconds behind ours/)
  expect(await findings({ clock: String(now_s()) })).toBe('Nothing is wrong with what was given.')
  await expect(explain({ clock: 'noon' })).rejects.toMatchObject({ exitCode: 2 })
})

test.each([
  ['the body alone', () => sign(secret, body)],
  ['The dot between t and the body is missing', (t: number) => sign(secret, `${t}${body}`)],
  ['in milliseconds', (t: number) => sign(secret, `${t}000.${body}`)],
  ['The key lacks whsec_', (t: number) => sign(secret.slice(6), `${t}.${body}`)],
  [
    'decoded from base64',
    (t: number) => sign(Buffer.from(secret.slice(6), 'base64'), `${t}.${body}`),
  ],
])('a signature computed wrongly is recognised: %s', async (said, wrong) => {
  const t = now_s()
  expect(await findings({ header: `t=${t},v1=${wrong(t)}` })).toContain(said)
})

test.each([
  ['that was sent, byte by byte', () => body],
  [
    "written anew, as by Python's json.dumps. It differs from byte",
    () => pythonDumps(JSON.parse(body)),
  ],
  ['written anew. It differs from byte', () => body.replace(',', ' ,')],
  ['is another one', () => '{"id":1}'],
  ['received nothing', () => body.slice(0, -1)],
])('a received body is compared with the sent bytes: %s', async (said, received) => {
  const owner = await signedIn(tradepost)
  const path = `/stores/${tradepost.live.id}/events/deliveries/${delivery}/explain`
  const { status, json } = await owner.post(path, { body: received() })
  expect(status).toBe(200)
  expect(json.findings.join('\n')).toContain(said)
})

test('only a user who may change endpoints can have a delivery explained in the dashboard', async () => {
  const path = `/stores/${tradepost.live.id}/events/deliveries`
  const owner = await signedIn(tradepost)
  const explained = await owner.post(`${path}/${delivery}/explain`, {
    header,
    clock: now_s() - 400,
  })
  expect(explained.json.findings.join('\n')).toMatch(
    /clock is 40\d seconds behind.*\nThe signature fits/,
  )
  expect(explained.json.steps.at(-1)).toBe(`Service-Signature: ${header}`)
  expect(explained.text).not.toContain(secret)
  expect((await owner.post(`${path}/1/explain`, {})).json.code).toBe('NOT_FOUND')
  const viewer = await signedIn(tradepost, 'viewer')
  const refused = await viewer.post(`${path}/${delivery}/explain`, {})
  expect(refused.json.code).toBe('INSUFFICIENT_SCOPE')
})

test('a header that is cut off, or matches nothing, is reported', async () => {
  expect(await findings({ header: header.replace(/^t=\d+,/, '') })).toContain('no t=')
  expect(await findings({ header: header.replace(/v1=../, 'v1=zz') })).toContain('fits neither')
})

test("another store's delivery cannot be explained", async () => {
  await expect(explain({ store: tradepost.other.id })).rejects.toThrow('not found')
})

/** The form of Python's serializer, except for non-ASCII characters. */
function pythonDumps(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonDumps).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, one]) => `"${key}": ${pythonDumps(one)}`)
  return `{${parts.join(', ')}}`
}
