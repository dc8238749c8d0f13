import { createHash } from 'node:crypto'
import type { Db, Tx } from '../db/database.ts'
import { Refusal } from '../kernel/errors.ts'
import { DAY_MS } from '../kernel/time.ts'
import type { Vault } from '../kernel/vault.ts'
import * as q from './queries.ts'
import { answerSealContext } from './sealed.ts'

/** An answer as bytes, which are fixed before the transaction commits. */
export interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
}

/** A call with an idempotency key. A repeated call must have the same method, path and body. */
export interface KeyedCall extends q.Scope {
  method: string
  path: string
  body: Uint8Array | undefined
  /** Store time, ISO 8601. */
  now: string
}

/** The first answers of calls with a key, encrypted and kept for 24 hours. */
export interface StoredAnswers {
  /**
   * Locks the key for this transaction, or returns the stored answer if there is one. Repeats of an
   * answered call need only the row, so they may fail to get the lock.
   */
  claim(tx: Tx, call: KeyedCall): Promise<Answer | undefined>
  store(tx: Tx, call: KeyedCall, answer: Answer): Promise<Answer>
  /** Stores the answer as it is after the work that follows the commit. */
  replace(db: Db, call: KeyedCall, answer: Answer): Promise<Answer>
}

const WINDOW_MS = DAY_MS

export function createStoredAnswers(vault: Vault): StoredAnswers {
  return { claim, store, replace }

  async function claim(tx: Tx, call: KeyedCall): Promise<Answer | undefined> {
    const isLocked = await q.tryLockKey(tx, lockOf(call))
    const storedAnswer = await q.selectAnswer(tx, call)
    const isValid =
      storedAnswer && Date.parse(storedAnswer.created_at) > Date.parse(call.now) - WINDOW_MS
    const answer = isValid ? replay(call, storedAnswer) : undefined
    if (!answer && !isLocked) throw keyInProgress()
    return answer
  }

  function replay(call: KeyedCall, storedAnswer: q.StoredAnswer): Answer | undefined {
    if (!storedAnswer.request_hash.equals(hashOf(call))) throw keyReused()
    if (storedAnswer.body_enc === null || storedAnswer.status === null) {
      if (storedAnswer.running) throw keyInProgress()
      return undefined
    }
    const body = vault.open(sealContext(call), storedAnswer.body_enc).toString()
    return { status: storedAnswer.status, body, headers: { 'idempotency-replayed': 'true' } }
  }

  async function store(tx: Tx, call: KeyedCall, answer: Answer): Promise<Answer> {
    const body_enc = vault.seal(sealContext(call), answer.body)
    await q.upsertAnswer(tx, { ...rowOf(call), status: answer.status, body_enc })
    return answer
  }

  async function replace(db: Db, call: KeyedCall, answer: Answer): Promise<Answer> {
    const body_enc = vault.seal(sealContext(call), answer.body)
    await q.updateAnswer(db, call, { status: answer.status, body_enc })
    return answer
  }
}

export const keyInProgress = () =>
  new Refusal(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first call with this Idempotency-Key is still running; repeat yours in a second.',
    undefined,
    { 'retry-after': '1' },
  )

const keyReused = () =>
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

/** Returns the id of the key's advisory lock, which has 63 bits. */
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
