import { randomUUID } from 'node:crypto'
import type { ClockFollower } from '../app.ts'
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
  /** A call without a renewal for this long counts as dead, and a repeat runs again. */
  lease_ms: number
  renew_ms: number
}

export const LEASE_TIMES: LeaseTimes = { lease_ms: 30 * SECOND_MS, renew_ms: 10 * SECOND_MS }

/** Answers are kept by the clock of the store, which such a call may move (decision 144). */
export const runningCallsClock: ClockFollower = { step: q.moveRunning }

/** A call with an idempotency key that makes network calls before its transaction. */
export interface NetworkCall {
  db: Db
  call: KeyedCall
  work: Work
  ask: () => Promise<void>
  answers: StoredAnswers
  times: LeaseTimes
}

/** Commits a row with the state "running" first, so that no other process starts the same call. */
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
    return (await storeFenced(network, lease, handle)) ?? (await answerOfNewOwner(network))
  } catch (error) {
    // The key must be free before the caller is asked to repeat. If this delete fails, the lease
    // expires.
    await q.deleteRunning(db, lease).catch(() => {})
    throw error
  }
}

/** Renews the lease during the network calls; returns the function that computes the answer. */
async function askWithLease({ db, work, ask, times }: NetworkCall, lease: q.Lease) {
  // Failed renewals are not retried: `storeFenced` detects a lost lease.
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
 * Writes nothing and returns undefined if another call has taken the key. That happens if this
 * process was suspended for longer than its lease (decision 122).
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

function answerOfNewOwner({ db, call, answers }: NetworkCall): Promise<Answer> {
  return inTransaction(db, async (tx) => {
    const stored = await answers.claim(tx, call)
    if (stored) return stored
    throw inProgress()
  })
}
