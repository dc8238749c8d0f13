import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Json } from './harness.ts'

/** A passkey in software, in the formats of WebAuthn: COSE keys, CBOR, DER signatures. */
export interface Authenticator {
  /** Answers as `navigator.credentials.create` does. */
  create(options: Json, as?: Page): Json
  /** Answers as `navigator.credentials.get` does. */
  get(options: Json, as?: Page): Json
  /** The number of signatures so far. */
  counter: number
}

/** The values that the browser and the user add to an answer. Each has a valid default. */
export interface Page {
  origin?: string
  challenge?: string
  /** If false, the user was not verified by touch or fingerprint. */
  verified?: boolean
}

const PASSKEY_ORIGIN = 'http://localhost:4100'

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }

/** An authenticator with `counts: false` always sends the counter 0. */
export function openAuthenticator({ counts = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const cose = cborMap([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])

  function authDataOf(rpId: string, verified: boolean, attestedKey?: Buffer): Buffer {
    if (counts) authenticator.counter++
    const flags = verified ? FLAGS.present | FLAGS.verified : FLAGS.present
    const head = Buffer.alloc(5)
    head.writeUInt8(attestedKey ? flags | FLAGS.attested : flags, 0)
    head.writeUInt32BE(authenticator.counter, 1)
    return Buffer.concat([sha256(rpId), head, attestedKey ?? Buffer.alloc(0)])
  }

  const authenticator: Authenticator = {
    counter: 0,
    create(options, { verified = true, ...page } = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attestedKey = Buffer.concat([Buffer.alloc(16), length, id, cose])
      const authData = authDataOf(options.rp.id, verified, attestedKey)
      const attestationObject = cborMap([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const clientDataJSON = clientData('webauthn.create', options, page)
      return answerOf(id, { clientDataJSON, attestationObject, transports: ['internal'] })
    },
    get(options, { verified = true, ...page } = {}) {
      const authenticatorData = authDataOf(options.rpId, verified)
      const clientDataJSON = clientData('webauthn.get', options, page)
      const signedBytes = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      const signature = sign('sha256', signedBytes, privateKey)
      return answerOf(id, { clientDataJSON, authenticatorData, signature })
    },
  }
  return authenticator
}

function answerOf(id: Buffer, response: Record<string, Buffer | string[]>): Json {
  const encodedFields = Object.entries(response).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value.toString('base64url') : value,
  ])
  const credentialId = id.toString('base64url')
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    response: Object.fromEntries(encodedFields),
  }
}

const clientData = (type: string, options: Json, { origin, challenge }: Page): Buffer =>
  Buffer.from(
    JSON.stringify({
      type,
      challenge: challenge ?? options.challenge,
      origin: origin ?? PASSKEY_ORIGIN,
      crossOrigin: false,
    }),
  )

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

type Cbor = number | string | Buffer | Map<unknown, unknown>

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  return cborHead(5, 0)
}

const cborMap = (entries: readonly (readonly [Cbor, Cbor])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cbor)])
