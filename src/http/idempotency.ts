import { createHash } from 'node:crypto'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { invalid, StoreError } from '../kernel/errors.ts'
import { DAY_MS } from '../kernel/time.ts'
import type { Vault } from '../kernel/vault.ts'
import * as q from './queries.ts'

/** What leaves: the bytes are fixed before the transaction commits. */
export interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
}

/** A call that carries a key: in whose name, and what exactly it asks. */
export interface KeyedCall extends q.Scope {
  method: string
  path: string
  body: Uint8Array | undefined
  /** By the store's clock, ISO 8601. */
  now: string
}

/** What a call does, in the pieces that stand on different sides of the transaction. */
export interface Work {
  /** Reads the request; what it throws is not an answer of the handler and is not stored. */
  read(): void
  /** The part that speaks to the network, outside of any transaction, if there is one. */
  ask?: () => Promise<void>
  /** The effect and its rendered answer, in this transaction. */
  handle(tx: Tx): Promise<Answer>
  /** Renders a refusal of the handler's. */
  render(error: StoreError): Answer
}

const KEY_LENGTH_MAX = 255
const WINDOW_MS = DAY_MS

export function checkKey(key: string): string {
  if (key.length >= 1 && key.length <= KEY_LENGTH_MAX) return key
  throw invalid('Idempotency-Key', 'Use 1 to 255 characters, such as a UUID.')
}

const inProgress = () =>
  new StoreError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first call with this Idempotency-Key is still running; repeat yours in a second.',
    undefined,
    { 'retry-after': '1' },
  )

export interface Idempotency {
  /** Runs the work once for its key; a repeat gets the first answer, byte for byte (decision 10). */
  once(db: Db, call: KeyedCall, work: Work): Promise<Answer>
}

export function createIdempotency(vault: Vault): Idempotency {
  const aloneInProcess = createFirstCalls()

  return {
    once: (db, call, work) =>
      aloneInProcess(call, work, (noted) =>
        noted.ask ? askThenHandle(db, call, noted, noted.ask) : handleOnce(db, call, noted),
      ),
  }

  function handleOnce(db: Db, call: KeyedCall, work: Work): Promise<Answer> {
    return inTransaction(db, async (tx) => {
      const stored = await claim(tx, call)
      if (stored) return stored
      work.read()
      return storeAnswer(tx, call, await handleInSavepoint(tx, work))
    })
  }

  /** First commits a row that says "running", so that no other process begins while we wait. */
  async function askThenHandle(db: Db, call: KeyedCall, work: Work, ask: () => Promise<void>) {
    const begun = await inTransaction(db, async (tx) => {
      const answer = await claim(tx, call)
      if (answer) return answer
      work.read()
      return { until: await q.upsertRunning(tx, rowOf(call)) }
    })
    if ('status' in begun) return begun
    try {
      return await answerAsked(db, call, work, ask)
    } catch (error) {
      // Whoever is told to repeat the call must find it open. Otherwise its time runs out by itself.
      await q.deleteRunning(db, call, begun.until).catch(() => {})
      throw error
    }
  }

  async function answerAsked(db: Db, call: KeyedCall, work: Work, ask: () => Promise<void>) {
    let answer = (tx: Tx) => handleInSavepoint(tx, work)
    try {
      await ask()
    } catch (error) {
      if (!isAnswer(error)) throw error
      answer = async () => work.render(error)
    }
    return inTransaction(db, async (tx) => storeAnswer(tx, call, await answer(tx)))
  }

  /**
   * Takes the key for this transaction, and gives the stored answer if there is one. Repeats of an
   * answered call may stand in each other's way at the lock: they need the row only.
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
    const body = vault.open(placeOf(call), stored.body_enc).toString()
    return { status: stored.status, body, headers: { 'idempotency-replayed': 'true' } }
  }

  async function storeAnswer(tx: Tx, call: KeyedCall, answer: Answer): Promise<Answer> {
    const body_enc = vault.seal(placeOf(call), answer.body)
    await q.upsertAnswer(tx, { ...rowOf(call), status: answer.status, body_enc })
    return answer
  }
}

/**
 * While a first call runs, others of this process hear so without waiting for a connection. Only a first
 * call reads its request: a repeat of what was answered stands in nobody's way.
 */
function createFirstCalls() {
  const running = new Set<string>()

  return async (call: KeyedCall, work: Work, run: (noted: Work) => Promise<Answer>) => {
    const scope = `${call.storeId}|${call.keyId}|${call.key}`
    if (running.has(scope)) throw inProgress()
    let first = false
    const read = () => {
      first = true
      running.add(scope)
      work.read()
    }
    try {
      return await run({ ...work, read })
    } finally {
      if (first) running.delete(scope)
    }
  }
}

/** A refusal by the use case is an answer like any other; what it wrote until then is undone. */
async function handleInSavepoint(tx: Tx, work: Work): Promise<Answer> {
  await q.savepoint(tx)
  try {
    return await work.handle(tx)
  } catch (error) {
    if (!isAnswer(error)) throw error
    await q.rollbackToSavepoint(tx)
    return work.render(error)
  }
}

const isAnswer = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.status < 500

const reused = () =>
  new StoreError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another request; use a new key for a new request.',
  )

const digest = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest()
}

const hashOf = ({ method, path, body }: KeyedCall): Buffer => digest(method, path, body ?? '')

/** 63 bits, the space of advisory locks. */
const lockOf = ({ storeId, keyId, key }: KeyedCall): bigint =>
  digest(`${storeId}|${keyId}`, key).readBigInt64BE() >> 1n

const rowOf = (call: KeyedCall) => ({
  store_id: call.storeId,
  api_key_id: call.keyId,
  key: call.key,
  request_hash: hashOf(call),
  created_at: call.now,
})

const placeOf = ({ storeId, keyId, key }: KeyedCall) => ({
  column: 'idempotent_answer.body',
  storeId,
  row: `${keyId}|${key}`,
})
