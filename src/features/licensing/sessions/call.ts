import { iso } from '../../../kernel/time.ts'
import { machineNow, type StoreContext } from '../../../store-context.ts'
import type { UsageKind } from './notes.ts'
import { OUTCOME_TEXTS, type Outcome } from './outcome.rules.ts'
import type { Proof, SessionRow } from './queries/sessions.ts'
import type { Answered } from './schema.ts'

/** A session at work: its row, and the proof of its device where one was due. */
export interface LiveSession {
  row: SessionRow
  proof: Proof | undefined
}

/** A call of a client program, as use cases see it. */
export interface Call {
  context: StoreContext
  app: { id: number; public_id: string }
  /** Where it comes from; undefined where that is no address. */
  ip: string | undefined
  nonce: string
  countUnknownKey(): Promise<void>
  /** Counts an unknown session token against the caller's address, or refuses the call. */
  takeUnknownToken(): Promise<void>
  /** Counts a call of the session with this token's hash, or refuses it. */
  takeSessionCall(token_hash: Buffer): Promise<void>
  /** Counts a use that is written down with others. */
  note(what: UsageKind, id: number): void
}

/** What every answer about a license says. */
export const answered = (
  { context, nonce }: Pick<Call, 'context' | 'nonce'>,
  code: Outcome,
  {
    config_version,
    public_ban_reason,
  }: { config_version: number; public_ban_reason?: string | null },
): Answered => ({
  valid: code === 'VALID',
  code,
  message: (code === 'BANNED' && public_ban_reason) || OUTCOME_TEXTS[code],
  server_time: iso(machineNow(context)),
  store_time: context.now,
  config_version,
  nonce,
})
