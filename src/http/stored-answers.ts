import { createHash } from 'node:crypto'
import type { Tx } from '../db/database.ts'
import { Refusal } from '../kernel/errors.ts'
import { DAY_MS } from '../kernel/time.ts'
import type { Vault } from '../kernel/vault.ts'
import * as q from './queries.ts'
import { answerSealContext } from './sealed.ts'

/** The bytes are fixed before the transaction commits. */
export interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
}

/** A call with an idempotency key: the caller's scope, and the request to compare with a repeat. */
export interface KeyedCall extends q.Scope {
  method: string
  path: string
  body: Uint8Array | undefined
  /** Store time, ISO 8601. */
  now: string
}

/** The first answers of calls with a key, encrypted and kept for 24 hours. */
export interface StoredAnswers {
  /** Locks the key for this transaction, or returns the stored answer if there is one. */
  claim(tx: Tx, call: KeyedCall): Promise<Answer | undefined>
  store(tx: Tx, call: KeyedCall, answer: Answer): Promise<Answer>
}

const WINDOW_MS = DAY_MS

export function createStoredAnswers(vault: Vault): StoredAnswers {
  return { claim, store }

  /**
   * Locks the key for this transaction, or returns the stored answer if there is one. Repeats of an
   * answered call may fail to get the lock; they need only the row.
   */
  async function claim(tx: Tx, call: KeyedCall): Promise<Answer | undefined> {
    const locked = await q.tryLock(tx, lockOf(call))
    const stored = await q.selectAnswer(tx, call)
    const kept = stored && Date.parse(stored.created_at) > Date.parse(call.now) - WINDOW_MS
    const answer = kept ? replay(call, stored) : undefined
    if (!answer && !locked) throw inProgress()
    return answer
  }

  function replay(call: KeyedCall, stored: q.StoredAnswer): Answer | undefined {
    if (!stored.request_hash.equals(hashOf(call))) throw reused()
    if (stored.body_enc === null || stored.status === null) {
      if (stored.running) throw inProgress()
      return undefined
    }
    const body = vault.open(sealContext(call), stored.body_enc).toString()
    return { status: stored.status, body, headers: { 'idempotency-replayed': 'true' } }
  }

  async function store(tx: Tx, call: KeyedCall, answer: Answer): Promise<Answer> {
    const body_enc = vault.seal(sealContext(call), answer.body)
    await q.upsertAnswer(tx, { ...rowOf(call), status: answer.status, body_enc })
    return answer
  }
}

export const inProgress = () =>
  new Refusal(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first call with this Idempotency-Key is still running; repeat yours in a second.',
    undefined,
    { 'retry-after': '1' },
  )

const reused = () =>
  new Refusal(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another request; use a new key for a new request.',
  )

const digest = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest()
}

const hashOf = ({ method, path, body }: KeyedCall): Buffer => digest(method, path, body ?? '')

/** 63 bits, a valid advisory lock id. */
export const lockOf = ({ storeId, keyId, key }: KeyedCall): bigint =>
  digest(`${storeId}|${keyId}`, key).readBigInt64BE() >> 1n

export const scopeOf = ({ storeId, keyId, key }: KeyedCall): q.Scope => ({ storeId, keyId, key })

export const rowOf = (call: KeyedCall) => ({
  store_id: call.storeId,
  api_key_id: call.keyId,
  key: call.key,
  request_hash: hashOf(call),
  created_at: call.now,
})

const sealContext = ({ storeId, keyId, key }: KeyedCall) => answerSealContext(storeId, keyId, key)
