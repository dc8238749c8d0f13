import { createHmac } from 'node:crypto'
import { payloadSealContext } from '../../events/sealed.ts'
import { found } from '../../kernel/errors.ts'
import { iso } from '../../kernel/time.ts'
import { verifySignature } from '../../sender/signature.ts'
import type { StoreContext } from '../../store-context.ts'
import { compareBodies } from './compare-bodies.rules.ts'
import { selectDelivery } from './queries/log.ts'
import { selectSecrets } from './queries/webhooks.ts'
import { rewrittenBodies } from './rewritten.rules.ts'
import { endpointSecretSealContext } from './sealed.ts'

export interface Explanation {
  /** The computation of the header, line by line. */
  steps: string[]
  /** Problems of the given header or secret. */
  findings: string[]
}

/** The data that a receiver has. */
export interface Given {
  /** The header that arrived, or the one that the receiver computed. */
  header?: string
  secret?: string
  /** The body that it verified. */
  body?: string
  /** The current time of its clock, in Unix seconds. */
  clock_s?: number
}

const TOLERANCE_S = 300
const SHOWN = 80
const FITS =
  'The signature fits the stored bytes and the secret of now. If your check fails all the same, ' +
  'your framework parsed the body and wrote it anew: verify the raw bytes.'

/** The signed string, the HMAC, and why a header that was received does not match. */
export async function explainDelivery(
  context: StoreContext,
  id: number,
  received: Given,
): Promise<Explanation> {
  const { db, store, vault } = context
  const delivery = found(await selectDelivery(db, store.id, id), 'Delivery')
  const sealed = Buffer.from(delivery.payload_enc, 'base64')
  const body = vault.open(payloadSealContext(store.id, delivery.event.tag), sealed)
  const { public_id, secret_enc, prev_secret_enc } = found(
    await selectSecrets(db, store.id, id),
    'Endpoint',
  )
  const open = (value: Buffer | null) =>
    value && vault.open(endpointSecretSealContext(store.id, public_id), value).toString()
  const secret = open(secret_enc) ?? ''
  const t = timeIn(received.header) ?? now_s()
  return {
    steps: stepsOf(body, secret, t),
    findings: findingsOf(received, { body, secret, former: open(prev_secret_enc), t }),
  }
}

const now_s = () => Math.floor(Date.now() / 1_000)

const timeIn = (header: string | undefined): number | undefined => {
  const t = /(?:^|,)\s*t=(\d{1,12})/.exec(header ?? '')?.[1]
  return t === undefined ? undefined : Number(t)
}

const mac = (secret: string, t: number, body: Buffer): string =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')

function stepsOf(body: Buffer, secret: string, t: number): string[] {
  const text = body.toString()
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return [
    `The body is ${body.length} bytes: ${shown}`,
    `The signed string is "${t}." and then these bytes, as they are.`,
    `The key is the whole secret, "${secret.slice(0, 10)}…", as text.`,
    `HMAC-SHA256 in hex: ${mac(secret, t, body)}`,
    `Service-Signature: t=${t},v1=${mac(secret, t, body)}`,
  ]
}

interface Known {
  body: Buffer
  secret: string
  former: string | null | undefined
  t: number
}

function findingsOf(received: Given, known: Known): string[] {
  const findings = [...secretFindings(received, known), ...clockFindings(received)]
  if (received.body !== undefined) findings.push(compareBodies(known.body, received.body))
  if (received.header !== undefined)
    findings.push(...headerFindings(received.header, received, known))
  return findings.length > 0 ? findings : ['Nothing is wrong with what was given.']
}

function secretFindings({ secret: received }: Given, { secret, former }: Known): string[] {
  if (received === undefined || received === secret) return []
  if (received === former) return ['This is the secret from before the last roll; use the new one.']
  if (received.trim() === secret) return ['The secret has a space or a line break at its end.']
  if (received === secret.slice(PREFIX.length))
    return [`The secret lacks ${PREFIX}: the key is the whole text.`]
  return ['This is not the secret of the endpoint; a secret is shown once, when it is made.']
}

function clockFindings({ clock_s }: Given): string[] {
  if (clock_s === undefined) return []
  const ahead_s = clock_s - now_s()
  if (Math.abs(ahead_s) <= TOLERANCE_S) return []
  const where = ahead_s > 0 ? 'ahead of' : 'behind'
  return [
    `The receiver's clock is ${Math.abs(ahead_s)} seconds ${where} ours; over 300 is refused.`,
  ]
}

function headerFindings(header: string, { secret: received }: Given, known: Known): string[] {
  if (timeIn(header) === undefined)
    return ['The header has no t=<unix seconds>; it was cut or changed.']
  const { body, secret, former, t } = known
  const fits = (key: string) => verifySignature(key, header, body, t)
  if (fits(secret)) return [...ageOf(t), FITS]
  if (former && fits(former))
    return [...ageOf(t), 'It was signed with the secret from before the last roll.']
  if (received && fits(received))
    return [...ageOf(t), 'It fits the secret that you gave, which is that of another endpoint.']
  const mistake = mistakesOf(known).find(({ hex }) => header.includes(`v1=${hex}`))
  return [...ageOf(t), mistake ? mistake.finding : NOTHING_FITS]
}

const ageOf = (t: number): string[] => {
  const age_s = now_s() - t
  if (Math.abs(age_s) <= TOLERANCE_S) return []
  return [
    `It was signed ${age_s} seconds ago, at ${iso(t * 1_000)}; over 300 is refused. If it was refused when it arrived, compare clocks: --clock $(date +%s), run on the receiver.`,
  ]
}

const NOTHING_FITS =
  'It fits neither the stored bytes nor a secret of this endpoint: another delivery?'

interface Mistake {
  hex: string
  finding: string
}

/** Signatures that receivers compute by mistake, for a header that was pasted from their own log. */
function mistakesOf({ body, secret, former, t }: Known): Mistake[] {
  const stamp = `${t}.`
  const mistake = (key: string | Buffer, signed: readonly (string | Buffer)[], finding: string) => {
    const hmac = createHmac('sha256', key)
    for (const part of signed) hmac.update(part)
    return { hex: hmac.digest('hex'), finding }
  }
  const rewritten = rewrittenBodies(body.toString()).flatMap(({ by, text }) =>
    [secret, former ?? secret].map((key) =>
      mistake(key, [stamp, text], `It is the signature of another body: ${by}. ${VERIFY_RAW}`),
    ),
  )
  const bare = secret.slice(PREFIX.length)
  return [
    ...rewritten,
    mistake(secret, [body], 'It is the signature of the body alone: sign "<t>.<body>".'),
    mistake(secret, [String(t), body], 'The dot between t and the body is missing.'),
    mistake(secret, [`${t * 1_000}.`, body], 't was taken in milliseconds; it is in seconds.'),
    mistake(bare, [stamp, body], `The key lacks ${PREFIX}: it is the whole secret, as text.`),
    mistake(Buffer.from(bare, 'base64'), [stamp, body], DECODED),
  ]
}

const PREFIX = 'whsec_'
const VERIFY_RAW = 'It was parsed and written anew: verify the raw bytes, before any JSON parser.'
const DECODED =
  'The secret was decoded from base64. That is for webhook-signature only; the key of Service-Signature is its whole text.'
