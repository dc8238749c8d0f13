import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { OUTCOME_TEXTS, type Outcome } from './evaluate-license.rules.ts'
import type { Proof, SessionRow } from './queries/sessions.ts'
import type { LicenseAnswer } from './schema.ts'
import type { UsageKind } from './usage-log.ts'

/** A live session, with the proof of its device if one is required. */
export interface LiveSession {
  row: SessionRow
  proof: Proof | undefined
}

export interface Call {
  context: StoreContext
  app: { id: number; public_id: string }
  /** The caller's address; undefined if the connection has no IP address. */
  ip: string | undefined
  nonce: string
  countUnknownKey(): Promise<void>
  /** Counts an unknown session token against the caller's address, or refuses the call. */
  takeUnknownToken(): Promise<void>
  /** Counts a call of the session with this token's hash, or refuses it. */
  takeSessionCall(token_hash: Buffer): Promise<void>
  /** Records a use of a record. Uses are buffered and written together. */
  note(kind: UsageKind, id: number): void
}

/** The fields that every answer about a license has. */
export const licenseAnswer = (
  { context, nonce }: Pick<Call, 'context' | 'nonce'>,
  code: Outcome,
  {
    config_version,
    public_ban_reason,
  }: { config_version: number; public_ban_reason?: string | null },
): LicenseAnswer => ({
  valid: code === 'VALID',
  code,
  message: (code === 'BANNED' && public_ban_reason) || OUTCOME_TEXTS[code],
  server_time: iso(machineNow(context)),
  store_time: context.now,
  config_version,
  nonce,
})
