import { randomUUID } from 'node:crypto'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { handleInSavepoint, isAnswer, type Work } from './keyed-work.ts'
import * as q from './queries.ts'
import {
  type Answer,
  inProgress,
  type KeyedCall,
  lockOf,
  rowOf,
  type StoredAnswers,
  scopeOf,
} from './stored-answers.ts'

export interface LeaseTimes {
  /** After this long without a renewal the call counts as dead, and a repeat runs anew. */
  lease_ms: number
  renew_ms: number
}

export const LEASE_TIMES: LeaseTimes = { lease_ms: 30 * SECOND_MS, renew_ms: 10 * SECOND_MS }

/** A call with an idempotency key that talks to the network before its transaction. */
export interface NetworkCall {
  db: Db
  call: KeyedCall
  work: Work
  ask: () => Promise<void>
  answers: StoredAnswers
  times: LeaseTimes
}

/** First commits a row that says "running", so that no other process begins in the meantime. */
export async function runNetworkCall(network: NetworkCall): Promise<Answer> {
  const { db, call, work, answers, times } = network
  const lease = { ...scopeOf(call), token: randomUUID(), lease_ms: times.lease_ms }
  const stored = await inTransaction(db, async (tx) => {
    const answer = await answers.claim(tx, call)
    if (answer) return answer
    work.read()
    await q.upsertRunning(tx, rowOf(call), lease)
    return undefined
  })
  if (stored) return stored
  try {
    const handle = await askWithLease(network, lease)
    return (await storeFenced(network, lease, handle)) ?? (await answerOfTaker(network))
  } catch (error) {
    // A caller that is told to repeat must find the key free. Otherwise the lease ends by itself.
    await q.deleteRunning(db, lease).catch(() => {})
    throw error
  }
}

/** Renews the lease while the network is asked, then returns what computes the answer. */
async function askWithLease({ db, work, ask, times }: NetworkCall, lease: q.Lease) {
  // A failed renewal needs no second try: the fence decides in the end.
  const renew = () => void q.renewLease(db, lease).catch(() => {})
  const renewal = setInterval(renew, times.renew_ms)
  try {
    await ask()
    return (tx: Tx) => handleInSavepoint(tx, work)
  } catch (error) {
    if (!isAnswer(error)) throw error
    return async () => work.render(error)
  } finally {
    clearInterval(renewal)
  }
}

/**
 * Writes nothing and returns undefined if another call has taken the key: this process stood still
 * for longer than its lease (decision 122).
 */
function storeFenced(
  { db, call, answers }: NetworkCall,
  lease: q.Lease,
  handle: (tx: Tx) => Promise<Answer>,
): Promise<Answer | undefined> {
  return inTransaction(db, async (tx) => {
    await q.lock(tx, lockOf(call))
    if (!(await q.ownsLease(tx, lease))) return undefined
    return answers.store(tx, call, await handle(tx))
  })
}

function answerOfTaker({ db, call, answers }: NetworkCall): Promise<Answer> {
  return inTransaction(db, async (tx) => {
    const stored = await answers.claim(tx, call)
    if (stored) return stored
    throw inProgress()
  })
}
