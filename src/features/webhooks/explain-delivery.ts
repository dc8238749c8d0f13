import { createHmac } from 'node:crypto'
import { payloadPlace } from '../../events/ledger.ts'
import { found } from '../../kernel/errors.ts'
import type { Shop } from '../../shop.ts'
import { secretPlace } from './create-webhook.ts'
import { selectSecrets } from './queries/by-hand.ts'
import { selectDelivery } from './queries/log.ts'
import { verifySignature } from './sending/signature.ts'

export interface Explanation {
  /** How the header comes about, line by line. */
  steps: string[]
  /** What is wrong with a header or a secret that was given. */
  findings: string[]
}

/** What a receiver has in hand. */
export interface Given {
  header?: string
  secret?: string
}

const TOLERANCE_S = 300
const SHOWN = 80
const FITS =
  'The signature fits the stored bytes and the secret of now. If your check fails all the same, ' +
  'your framework parsed the body and wrote it anew: verify the raw bytes.'

/** The signed string, the HMAC, and why a header that was received does not match. */
export async function explainDelivery(shop: Shop, id: number, given: Given): Promise<Explanation> {
  const { db, store, vault } = shop
  const delivery = found(await selectDelivery(db, store.id, id), 'Delivery')
  const sealed = Buffer.from(delivery.payload_enc, 'base64')
  const body = vault.open(payloadPlace(store.id, delivery.event.tag), sealed)
  const { public_id, secret_enc, prev_secret_enc } = found(
    await selectSecrets(db, store.id, id),
    'Endpoint',
  )
  const open = (value: Buffer | null) =>
    value && vault.open(secretPlace(store.id, public_id), value).toString()
  const secret = open(secret_enc) ?? ''
  const t = timeIn(given.header) ?? Math.floor(Date.now() / 1_000)
  return {
    steps: stepsOf(body, secret, t),
    findings: findingsOf(given, { body, secret, former: open(prev_secret_enc), t }),
  }
}

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

function findingsOf({ header, secret }: Given, known: Known): string[] {
  const findings: string[] = []
  if (secret !== undefined && secret !== known.secret) {
    findings.push(
      secret === known.former
        ? 'This is the secret from before the last roll; use the new one.'
        : 'This is not the secret of the endpoint; a secret is shown once, when it is made.',
    )
  }
  if (header !== undefined) findings.push(...headerFindings(header, known))
  return findings.length > 0 ? findings : ['Nothing is wrong with what was given.']
}

function headerFindings(header: string, { body, secret, former, t }: Known): string[] {
  if (timeIn(header) === undefined)
    return ['The header has no t=<unix seconds>; it was cut or changed.']
  const fits = (key: string, bytes: Buffer) => verifySignature(key, header, bytes, t)
  const age_s = Math.floor(Date.now() / 1_000) - t
  const old =
    Math.abs(age_s) > TOLERANCE_S
      ? [`It was signed ${age_s} seconds ago; over 300 is refused.`]
      : []
  if (fits(secret, body)) return [...old, FITS]
  if (former && fits(former, body)) {
    return [...old, 'It was signed with the secret from before the last roll.']
  }
  return [
    ...old,
    'It fits neither the stored bytes nor a secret of this endpoint: another delivery?',
  ]
}
