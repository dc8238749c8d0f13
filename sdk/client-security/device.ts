import { bytesOf, fromBase64Url, toBase64Url } from './encoding.ts'

/** A device's own key: what cannot be copied with a fingerprint. Keep the private half where it was made. */
export interface DeviceSigner {
  public_key: string
  sign(text: Uint8Array): Promise<Uint8Array>
}

/** A key of a device as a JWK, to be kept where the machine keeps secrets. `d` is its private half. */
export interface DeviceKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  d: string
}

const JWK = { kty: 'OKP', crv: 'Ed25519' } as const

type Pair = { publicKey: Key; privateKey: Key }
type Key = Parameters<typeof crypto.subtle.sign>[1]

/** Make it once for a machine and keep it: with another one the same machine is refused (decision 116). */
export async function newDeviceKey(): Promise<DeviceKey> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as Pair
  const { x = '', d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { ...JWK, x, d }
}

/** Signs with a key that was kept. One in hardware needs a signer of your own. */
export async function deviceSigner({ x, d }: DeviceKey): Promise<DeviceSigner> {
  const jwk = { ...JWK, x, d }
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign'])
  const sign = async (text: Uint8Array) =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', key, new Uint8Array(text)))
  return { public_key: x, sign }
}

/** The hash by which an offline license names a device's public key. */
async function thumbprintOf(raw: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', raw)))
}

const CHALLENGE_BYTES = 32
const P256_BYTES = 65
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/**
 * Whether this device has the private key that a thumbprint stands for: it signs a new challenge. A
 * public key is copied as easily as a fingerprint.
 */
export async function isProven(thumbprint: string, device?: DeviceSigner): Promise<boolean> {
  const raw = device && fromBase64Url(device.public_key)
  if (!device || !raw || (await thumbprintOf(raw)) !== thumbprint) return false
  const algorithm = raw.length === P256_BYTES ? EC : 'Ed25519'
  const challenge = toBase64Url(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)))
  // The first line keeps it from being taken for the proof of a call.
  const text = bytesOf(`device-challenge/v1\n${challenge}`)
  try {
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
    const signature = new Uint8Array(await device.sign(text))
    return await crypto.subtle.verify(algorithm, key, signature, text)
  } catch {
    return false
  }
}
