import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type DeviceKeyKind, fromBase64Url, isPoint, kindOfKey } from './device-key.rules.ts'

/** What stands before the raw key in its DER form. */
const DER_HEADS: Record<DeviceKeyKind, string> = {
  ed25519: '302a300506032b6570032100',
  p256: '3059301306072a8648ce3d020106082a8648ce3d030107034200',
}
const SIGNATURE_BYTES = 64

function asKey(raw: Uint8Array): { kind: DeviceKeyKind; key: KeyObject } | undefined {
  const kind = kindOfKey(raw)
  if (!kind) return undefined
  const der = Buffer.concat([Buffer.from(DER_HEADS[kind], 'hex'), raw])
  try {
    return { kind, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
  } catch {
    return undefined
  }
}

/** Whether bytes are a public key that a device may be known by. */
export function isDeviceKey(raw: Uint8Array): boolean {
  const known = asKey(raw)
  return known !== undefined && (known.kind === 'p256' || isPoint(raw))
}

/** Whether a device signed a text. P-256 signatures are `r‖s`, never DER. */
export function isSignedBy(raw: Uint8Array, text: string, signature: string): boolean {
  const bytes = fromBase64Url(signature)
  const known = asKey(raw)
  if (!known || bytes?.length !== SIGNATURE_BYTES) return false
  const data = Buffer.from(text)
  return known.kind === 'ed25519'
    ? verify(null, data, known.key, bytes)
    : verify('sha256', data, { key: known.key, dsaEncoding: 'ieee-p1363' }, bytes)
}

export const thumbprintOf = (raw: Uint8Array): string =>
  createHash('sha256').update(raw).digest('base64url')
