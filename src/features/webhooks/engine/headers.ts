import { eventId } from '../../../events/event-id.ts'
import type { Vault } from '../../../kernel/vault.ts'
import { signatureHeader, standardHeaders } from '../../../sender/signature.ts'
import type { WebhookTarget } from '../queries/claim.ts'
import { endpointSecretSealContext } from '../sealed.ts'

/** The input for the headers of an attempt. */
export interface HeaderInput {
  target: WebhookTarget
  no: number
  tag: number
  type: string
  /** 1 for the first attempt. */
  attempt: number
  body: Buffer
  /** The moment of signing by the clock of the machine, in milliseconds. */
  at_ms: number
}

/** The dependencies of signing. */
export interface HeaderSigner {
  vault: Pick<Vault, 'open'>
  /** Decrypted secrets by their sealed form. Decrypting takes as long as signing. */
  secretCache?: WeakMap<Uint8Array, string>
}

/** Returns the headers of an attempt (specification, "Request headers"). The time is always machine time. */
export function headersOf(signer: HeaderSigner, input: HeaderInput): Record<string, string> {
  const { target, body } = input
  const timestamp = Math.floor(input.at_ms / 1_000)
  const id = eventId(input.no, input.tag)
  const secrets = secretsOf(signer, target, input.at_ms)
  return {
    'Service-Signature': signatureHeader(secrets, timestamp, body),
    'Service-Event-Id': id,
    'Service-Event-Type': input.type,
    'Service-Delivery-Attempt': String(input.attempt),
    ...(target.standard_headers && standardHeaders(id, secrets, timestamp, body)),
  }
}

/** Returns the secrets that sign: after a roll with overlap the old one, and then the new one (decision 19). */
function secretsOf(signer: HeaderSigner, target: WebhookTarget, at_ms: number): string[] {
  const current = secretOf(signer, target, target.secret_enc)
  const { prev_secret_enc, prev_secret_until } = target
  const isOverlapping = prev_secret_until !== null && Date.parse(prev_secret_until) > at_ms
  if (!prev_secret_enc || !isOverlapping) return [current]
  return [secretOf(signer, target, prev_secret_enc), current]
}

function secretOf(
  { vault, secretCache }: HeaderSigner,
  target: WebhookTarget,
  sealed: Buffer,
): string {
  const cached = secretCache?.get(sealed)
  if (cached !== undefined) return cached
  const secret = vault
    .open(endpointSecretSealContext(target.store_id, target.public_id), sealed)
    .toString()
  secretCache?.set(sealed, secret)
  return secret
}
