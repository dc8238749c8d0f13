import { eventId } from '../../../events/event-id.ts'
import type { Clock } from '../../../kernel/time.ts'
import type { Vault } from '../../../kernel/vault.ts'
import { signatureHeader, standardHeaders } from '../../../sender/signature.ts'
import type { Target } from '../queries/claim.ts'
import { endpointSecretSealContext } from '../sealed.ts'

/** The input for the headers of an attempt. */
export interface Signed {
  target: Target
  no: number
  tag: number
  type: string
  /** 1 for the first attempt. */
  attempt: number
  body: Buffer
}

/** The dependencies of signing. The vault opens only secrets. */
export interface Signer {
  vault: Pick<Vault, 'open'>
  clock: Clock
  /** Secrets that were opened before, where they are remembered: that takes as long as to sign. */
  opened?: WeakMap<Uint8Array, string>
}

/** The headers of a delivery (specification, "Request headers"). `t` is always real time. */
export function headersOf(signer: Signer, signed: Signed): Record<string, string> {
  const { target, body } = signed
  const t = Math.floor(signer.clock.now() / 1_000)
  const id = eventId(signed.no, signed.tag)
  const secrets = secretsOf(signer, target)
  return {
    'Service-Signature': signatureHeader(secrets, t, body),
    'Service-Event-Id': id,
    'Service-Event-Type': signed.type,
    'Service-Delivery-Attempt': String(signed.attempt),
    ...(target.standard_headers && standardHeaders(id, secrets, t, body)),
  }
}

/** While a rolled secret overlaps, both sign; the new one comes last (decision 19). */
function secretsOf(signer: Signer, target: Target): string[] {
  const current = secretOf(signer, target, target.secret_enc)
  const { prev_secret_enc, prev_secret_until } = target
  const overlaps = prev_secret_until !== null && Date.parse(prev_secret_until) > signer.clock.now()
  if (!prev_secret_enc || !overlaps) return [current]
  return [secretOf(signer, target, prev_secret_enc), current]
}

function secretOf({ vault, opened }: Signer, target: Target, sealed: Buffer): string {
  const known = opened?.get(sealed)
  if (known !== undefined) return known
  const secret = vault
    .open(endpointSecretSealContext(target.store_id, target.public_id), sealed)
    .toString()
  opened?.set(sealed, secret)
  return secret
}
