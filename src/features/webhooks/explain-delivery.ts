import { createHmac } from 'node:crypto'
import { counted } from '../../kernel/counted.ts'
import { requireRecord } from '../../kernel/errors.ts'
import { iso } from '../../kernel/time.ts'
import { SECRET_PREFIX, TOLERANCE_S, verifySignature } from '../../sender/signature.ts'
import type { StoreContext } from '../../store-context.ts'
import { compareBodies, VERIFY_RAW } from './compare-bodies.rules.ts'
import * as q from './queries/index.ts'
import { rewrittenBodies } from './rewritten-bodies.rules.ts'
import { endpointSecretSealContext, openPayload } from './sealed.ts'

export interface DeliveryExplanation {
  /** The computation of the header, line by line. */
  steps: string[]
  /** The problems of the receiver's data. */
  findings: string[]
}

/** The data of a receiver. */
interface ReceiverData {
  /** The header that arrived, or that the receiver computed. */
  header?: string | undefined
  secret?: string | undefined
  /** The body that the receiver verified. */
  body?: string | undefined
  /** The current time of the receiver's clock, in Unix seconds. */
  clock_s?: number | undefined
}

const EXCERPT_LENGTH = 80
const DECODED_SECRET_TEXT =
  'The secret was decoded from base64. That is for webhook-signature only; the key of Service-Signature is its whole text.'
const MATCH_TEXT =
  'The signature matches the stored bytes and the current secret. If your check fails anyway, ' +
  'your framework parsed the body and serialized it again: verify the raw bytes.'

/** Returns the computation of the signature, and the reasons why the receiver's data does not match. */
export async function explainDelivery(
  context: StoreContext,
  id: number,
  receiverData: ReceiverData,
): Promise<DeliveryExplanation> {
  const { db, store, vault } = context
  const delivery = requireRecord(await q.selectDelivery(db, store.id, id), 'Delivery')
  const body = openPayload(context, delivery.event.tag, delivery.payload_enc)
  const { public_id, secret_enc, prev_secret_enc } = requireRecord(
    await q.selectSecretsOfDelivery(db, store.id, id),
    'Endpoint',
  )
  const openSecret = (value: Buffer | null) =>
    value && vault.open(endpointSecretSealContext(store.id, public_id), value).toString()
  const secret = openSecret(secret_enc) ?? ''
  const signedAt_s = timeIn(receiverData.header) ?? now_s()
  return {
    steps: stepsOf(body, secret, signedAt_s),
    findings: findingsOf(receiverData, {
      body,
      secret,
      previousSecret: openSecret(prev_secret_enc),
      signedAt_s,
    }),
  }
}

const now_s = () => Math.floor(Date.now() / 1_000)

const timeIn = (header: string | undefined): number | undefined => {
  const seconds = /(?:^|,)\s*t=(\d{1,12})/.exec(header ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

const hmacHex = (secret: string, signedAt_s: number, body: Buffer): string =>
  createHmac('sha256', secret).update(`${signedAt_s}.`).update(body).digest('hex')

function stepsOf(body: Buffer, secret: string, signedAt_s: number): string[] {
  const text = body.toString()
  const excerpt = text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text
  return [
    `The body is ${counted(body.length, 'byte')}: ${excerpt}`,
    `The signed string is "${signedAt_s}." and then these bytes, as they are.`,
    `The key is the whole secret, "${secret.slice(0, 10)}…", as text.`,
    `HMAC-SHA256 in hex: ${hmacHex(secret, signedAt_s, body)}`,
    `Service-Signature: t=${signedAt_s},v1=${hmacHex(secret, signedAt_s, body)}`,
  ]
}

interface StoredDelivery {
  body: Buffer
  secret: string
  previousSecret: string | null | undefined
  signedAt_s: number
}

function findingsOf(receiverData: ReceiverData, delivery: StoredDelivery): string[] {
  const findings = [...secretFindings(receiverData, delivery), ...clockFindings(receiverData)]
  if (receiverData.body !== undefined)
    findings.push(compareBodies(delivery.body, receiverData.body))
  if (receiverData.header !== undefined)
    findings.push(...headerFindings(receiverData.header, receiverData, delivery))
  return findings.length > 0 ? findings : ['The given values have no error.']
}

function secretFindings(
  { secret: receiverSecret }: ReceiverData,
  { secret, previousSecret }: StoredDelivery,
): string[] {
  if (receiverSecret === undefined || receiverSecret === secret) return []
  if (receiverSecret === previousSecret)
    return ['This is the secret from before the last roll; use the new one.']
  if (receiverSecret.trim() === secret)
    return ['The secret has a space or a line break at its end.']
  if (receiverSecret === secret.slice(SECRET_PREFIX.length))
    return [`The secret lacks ${SECRET_PREFIX}: the key is the whole text.`]
  return [
    'This is not the secret of the endpoint; a secret is shown once, when it is created. Roll it to get a new one.',
  ]
}

function clockFindings({ clock_s }: ReceiverData): string[] {
  if (clock_s === undefined) return []
  const ahead_s = clock_s - now_s()
  if (Math.abs(ahead_s) <= TOLERANCE_S) return []
  const direction = ahead_s > 0 ? 'ahead of' : 'behind'
  return [
    `The receiver's clock is ${counted(Math.abs(ahead_s), 'second')} ${direction} ours; more than ${TOLERANCE_S} is refused.`,
  ]
}

function headerFindings(
  header: string,
  { secret: receiverSecret }: ReceiverData,
  delivery: StoredDelivery,
): string[] {
  if (timeIn(header) === undefined)
    return ['The header has no t=<unix seconds>; it was cut or changed.']
  const { body, secret, previousSecret, signedAt_s } = delivery
  const matches = (key: string) => verifySignature(key, header, body, signedAt_s)
  if (matches(secret)) return [...ageOf(signedAt_s), MATCH_TEXT]
  if (previousSecret && matches(previousSecret))
    return [...ageOf(signedAt_s), 'It was signed with the secret from before the last roll.']
  if (receiverSecret && matches(receiverSecret))
    return [...ageOf(signedAt_s), 'It matches the given secret, which belongs to another endpoint.']
  const mistake = mistakesOf(delivery).find(({ hex }) => header.includes(`v1=${hex}`))
  return [...ageOf(signedAt_s), mistake ? mistake.finding : NO_MATCH_TEXT]
}

const ageOf = (signedAt_s: number): string[] => {
  const age_s = now_s() - signedAt_s
  if (Math.abs(age_s) <= TOLERANCE_S) return []
  const distance =
    age_s > 0 ? `${counted(age_s, 'second')} ago` : `${counted(-age_s, 'second')} in the future`
  return [
    `It was signed ${distance}, at ${iso(signedAt_s * 1_000)}; more than ${TOLERANCE_S} is refused. If it was refused when it arrived, compare clocks: ask again with the Unix time of the receiver as the clock.`,
  ]
}

const NO_MATCH_TEXT =
  'It matches neither the stored bytes nor a secret of this endpoint. Check that it belongs to this delivery.'

interface Mistake {
  hex: string
  finding: string
}

/** Returns the signatures that receivers compute by common mistakes. */
function mistakesOf({ body, secret, previousSecret, signedAt_s }: StoredDelivery): Mistake[] {
  const stamp = `${signedAt_s}.`
  const mistake = (key: string | Buffer, parts: readonly (string | Buffer)[], finding: string) => {
    const hmac = createHmac('sha256', key)
    for (const part of parts) hmac.update(part)
    return { hex: hmac.digest('hex'), finding }
  }
  const rewriteMistakes = rewrittenBodies(body.toString()).flatMap(({ change, text }) =>
    [secret, previousSecret ?? secret].map((key) =>
      mistake(key, [stamp, text], `It is the signature of a body that ${change}. ${VERIFY_RAW}`),
    ),
  )
  const secretWithoutPrefix = secret.slice(SECRET_PREFIX.length)
  return [
    ...rewriteMistakes,
    mistake(secret, [body], 'It is the signature of the body alone: sign "<t>.<body>".'),
    mistake(secret, [String(signedAt_s), body], 'The dot between t and the body is missing.'),
    mistake(
      secret,
      [`${signedAt_s * 1_000}.`, body],
      't was taken in milliseconds; it is in seconds.',
    ),
    mistake(
      secretWithoutPrefix,
      [stamp, body],
      `The key lacks ${SECRET_PREFIX}: it is the whole secret, as text.`,
    ),
    mistake(Buffer.from(secretWithoutPrefix, 'base64'), [stamp, body], DECODED_SECRET_TEXT),
  ]
}
