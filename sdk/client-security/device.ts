import { bytesOf, fromBase64Url, toBase64Url } from './encoding.ts'

/** Signs with the key of a device. The private key must stay on the device. */
export interface DeviceSigner {
  public_key: string
  sign(text: Uint8Array): Promise<Uint8Array>
}

/** A device key as a JWK. Store it in the secret storage of the machine, because `d` is the private key. */
export interface DeviceKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  d: string
}

const JWK = { kty: 'OKP', crv: 'Ed25519' } as const

type KeyPair = { publicKey: Key; privateKey: Key }
type Key = Parameters<typeof crypto.subtle.sign>[1]

/** Creates a device key. Store the key: the server refuses this machine with a different key. */
export async function newDeviceKey(): Promise<DeviceKey> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as KeyPair
  const { x = '', d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { ...JWK, x, d }
}

/** Creates a signer from a stored key. For a key in hardware, write your own signer. */
export async function deviceSigner({ x, d }: DeviceKey): Promise<DeviceSigner> {
  const jwk = { ...JWK, x, d }
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign'])
  const sign = async (text: Uint8Array) =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', key, new Uint8Array(text)))
  return { public_key: x, sign }
}

/** Returns the hash that identifies a device's public key in an offline license. */
async function thumbprintOf(raw: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', raw)))
}

const CHALLENGE_BYTES = 32
const P256_KEY_BYTES = 65
const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/**
 * Returns true if the device has the private key of a thumbprint, which it proves by the signature of a random challenge.
 * A comparison of public keys would prove nothing, because a public key can be copied.
 */
export async function provesKey(thumbprint: string, device?: DeviceSigner): Promise<boolean> {
  const raw = device && fromBase64Url(device.public_key)
  if (!device || !raw || (await thumbprintOf(raw)) !== thumbprint) return false
  const algorithm = raw.length === P256_KEY_BYTES ? P256 : 'Ed25519'
  const challenge = toBase64Url(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)))
  // The first line prevents the use of this signature as the proof of a call.
  const text = bytesOf(`device-challenge/v1\n${challenge}`)
  try {
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
    const signature = new Uint8Array(await device.sign(text))
    return await crypto.subtle.verify(algorithm, key, signature, text)
  } catch {
    return false
  }
}
