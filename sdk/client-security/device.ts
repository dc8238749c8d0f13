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
