import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import { type LicenseOutcome, OUTCOME_TEXTS } from './evaluate-license.rules.ts'
import type { Proof, SessionRow } from './queries/sessions.ts'
import type { LicenseAnswer, ReadKind } from './schema.ts'
import type { UsageKind } from './usage-log.ts'

/** A live session, with the proof of its device if one is required. */
export interface LiveSession {
  row: SessionRow
  proof: Proof | undefined
}

/** The license key and the device of a session that reads a record. */
type ReadingSession = Pick<SessionRow, 'key_id' | 'device_id'>

/** A call of a client program. */
export interface ProgramCall {
  context: StoreContext
  app: { id: number; public_id: string }
  /** The caller's address; undefined if the connection has no IP address. */
  ip: string | undefined
  nonce: string
  /** Counts an unknown license key against the caller's address, or refuses the call. */
  countUnknownKey(): Promise<void>
  /** Counts an unknown session token against the caller's address, or refuses the call. */
  countUnknownToken(): Promise<void>
  /** Counts a call of the session with this token's hash, or refuses it. */
  countSessionCall(token_hash: Buffer): Promise<void>
  /** Records a use of a record. Uses are buffered and written together. */
  countUse(kind: UsageKind, id: number): void
  /** Records which license key read a record; no key if the session is undefined. */
  countRead(kind: ReadKind, id: number, session: ReadingSession | undefined): void
}

/** Returns the fields that all answers about a license have. */
export const licenseAnswer = (
  { context, nonce }: Pick<ProgramCall, 'context' | 'nonce'>,
  code: LicenseOutcome,
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
