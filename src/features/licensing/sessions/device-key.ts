import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type DeviceKeyKind, fromBase64Url, isPoint, kindOfKey } from './device-key.rules.ts'

/** The DER encoding that precedes a raw key, in hex. */
const DER_PREFIXES: Record<DeviceKeyKind, string> = {
  ed25519: '302a300506032b6570032100',
  p256: '3059301306072a8648ce3d020106082a8648ce3d030107034200',
}
const SIGNATURE_BYTES = 64

function asKey(raw: Uint8Array): { kind: DeviceKeyKind; key: KeyObject } | undefined {
  const kind = kindOfKey(raw)
  if (!kind) return undefined
  const der = Buffer.concat([Buffer.from(DER_PREFIXES[kind], 'hex'), raw])
  try {
    return { kind, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
  } catch {
    return undefined
  }
}

/** Returns true if the bytes are a public key that a device may register. */
export function isDeviceKey(raw: Uint8Array): boolean {
  const publicKey = asKey(raw)
  return publicKey !== undefined && (publicKey.kind === 'p256' || isPoint(raw))
}

/** Returns true if the signature of a text is valid. P-256 signatures are `r‖s`, never DER. */
export function isSignedBy(raw: Uint8Array, text: string, signature: string): boolean {
  const bytes = fromBase64Url(signature)
  const publicKey = asKey(raw)
  if (!publicKey || bytes?.length !== SIGNATURE_BYTES) return false
  const data = Buffer.from(text)
  return publicKey.kind === 'ed25519'
    ? verify(null, data, publicKey.key, bytes)
    : verify('sha256', data, { key: publicKey.key, dsaEncoding: 'ieee-p1363' }, bytes)
}

export const thumbprintOf = (raw: Uint8Array): string =>
  createHash('sha256').update(raw).digest('base64url')
