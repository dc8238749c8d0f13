import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { answerOf } from '../answer.ts'
import { type Answer, expectSuccess, type Json, type Tradepost } from '../harness.ts'
import { BASE, type Seller } from './seller.ts'

/** A client program with pinned keys. Each call fails if the signature of its answer is invalid. */
export interface Program {
  publicId: string
  call(method: string, path: string, options?: ProgramCall): Promise<Answer>
  start(body?: Json, options?: ProgramCall): Promise<Json>
  validate(license_key: string, fields?: Json, options?: ProgramCall): Promise<Json>
}

interface ProgramCall {
  body?: Json
  token?: string
  device?: DeviceKey
  headers?: Record<string, string>
  /** The caller's address. */
  ip?: string
  /** The deviation of the device's clock. */
  skew_s?: number
  nonce?: string
}

/** A device with a public key. */
export interface DeviceKey {
  public_key: string
  sign(text: string): string
}

export const newNonce = (): string => randomBytes(16).toString('base64url')
const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

export function ed25519Device(): DeviceKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    public_key: raw.toString('base64url'),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  }
}

export function p256Device(): DeviceKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65)
  return {
    public_key: raw.toString('base64url'),
    sign: (text) =>
      sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
        'base64url',
      ),
  }
}

export const publicKeyOf = (raw: string): KeyObject =>
  createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(raw, 'base64url'),
    ]),
    format: 'der',
    type: 'spki',
  })

export interface SignedAnswer {
  publicId: string
  method: string
  path: string
  nonce: string
  /** The request body and the token; empty and undefined if there were none. */
  requestBody?: string | undefined
  token?: string | undefined
  status: number
  header: string
  body: Buffer
}

/**
 * Returns true if one of these keys signed the answer. The server signs the hash of the request body,
 * or `-` if it refused the call before it read the body.
 */
export function isSigned(keys: ReadonlyMap<string, KeyObject>, answer: SignedAnswer): boolean {
  const [, t = '', kid = '', v1 = ''] =
    /^t=(\d+),kid=([\w-]+),v1=([\w-]{86})$/.exec(answer.header) ?? []
  const key = keys.get(kid)
  if (!key) return false
  const bodyHash = sha256Hex(answer.requestBody ?? '')
  return (answer.requestBody ? [bodyHash, '-'] : [bodyHash]).some((requestHash) => {
    const text = signedText(answer, t, requestHash)
    return verify(null, Buffer.from(text), key, Buffer.from(v1, 'base64url'))
  })
}

export const signedText = (answer: SignedAnswer, t: string, requestHash: string): string =>
  [
    'client-response/v1',
    answer.publicId,
    answer.method,
    answer.path,
    answer.nonce,
    requestHash,
    answer.token === undefined ? '-' : sha256Hex(answer.token),
    answer.status,
    t,
    sha256Hex(answer.body),
  ].join('\n')

/** Creates an app, and a client program of it. */
export async function createProgram(
  tradepost: Tradepost,
  seller: Seller,
  fields: Json = {},
): Promise<Program & { appId: number }> {
  const name = `program-${randomBytes(4).toString('hex')}`
  const { app } = await expectSuccess(seller.post('/apps', { name, ...fields }))
  const { signing_keys } = await expectSuccess(seller.get(`/apps/${app.id}/signing-keys`))
  const keys = new Map<string, KeyObject>(
    signing_keys.map((key: Json) => [key.kid, publicKeyOf(key.public_key)]),
  )
  const publicId: string = app.public_id

  async function call(method: string, tail: string, options: ProgramCall = {}): Promise<Answer> {
    const { body, token, device, ip, skew_s = 0 } = options
    const nonce = options.nonce ?? newNonce()
    const path = `/client/${publicId}${tail}`
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const t = Math.floor(tradepost.app.clock.now() / 1000) + skew_s
    const proofText = [
      'client-request/v1',
      publicId,
      method,
      path,
      nonce,
      t,
      sha256Hex(token ?? ''),
      sha256Hex(payload ?? ''),
    ].join('\n')
    const response = await tradepost.server.inject({
      method: method as 'GET',
      url: `${BASE}${path}`,
      headers: {
        'client-nonce': nonce,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(device && { 'client-proof': `t=${t},v1=${device.sign(proofText)}` }),
        ...options.headers,
      },
      ...(payload !== undefined && { payload }),
      ...(ip && { remoteAddress: ip }),
    })
    const hasValidSignature = isSigned(keys, {
      publicId,
      method,
      path,
      nonce: options.headers?.['client-nonce'] ?? nonce,
      requestBody: payload,
      token,
      status: response.statusCode,
      header: String(response.headers['service-response-signature']),
      body: response.rawPayload,
    })
    if (!hasValidSignature)
      throw new Error(`${method} ${path}: ${response.statusCode} is not signed.`)
    return answerOf(response)
  }

  return {
    publicId,
    appId: app.id,
    call,
    start: async (body = {}, options = {}) =>
      (await call('POST', '/sessions', { body, ...options })).json,
    validate: async (license_key, fields = {}, options = {}) =>
      (await call('POST', '/validate', { body: { license_key, ...fields }, ...options })).json,
  }
}

let machineCount = 0
/** Returns the `device` of a machine that no other test uses. */
export const newMachine = (fields: Json = {}): Json => ({
  fingerprint: `machine-${String(++machineCount).padStart(12, '0')}`,
  ...fields,
})
