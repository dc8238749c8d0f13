import { randomUUID } from 'node:crypto'
import type { ClockFollower } from '../app.ts'
import { type Db, inTransaction, type Tx } from '../db/database.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { handleInSavepoint, isAnswer, type Work } from './keyed-work.ts'
import * as q from './queries.ts'
import {
  type Answer,
  type KeyedCall,
  keyInProgress,
  lockOf,
  rowOf,
  type StoredAnswers,
  scopeOf,
} from './stored-answers.ts'

export interface LeaseTimes {
  /** The time without a renewal after which a call counts as aborted. A repeated call then runs again. */
  lease_ms: number
  renew_ms: number
}

export const LEASE_TIMES: LeaseTimes = { lease_ms: 30 * SECOND_MS, renew_ms: 10 * SECOND_MS }

/** The row of a running call has a time of its store, so it moves with the clock of the store (decision 144). */
export const runningCallsClock: ClockFollower = { step: q.moveRunning }

/** A call with an idempotency key that makes network calls before its transaction. */
interface NetworkCall {
  db: Db
  call: KeyedCall
  work: Work
  prepare: () => Promise<void>
  answers: StoredAnswers
  times: LeaseTimes
}

/** Runs a call under a lease: a committed row, so that no other process starts the same call. */
export async function runNetworkCall(network: NetworkCall): Promise<Answer> {
  const { db, call, work, answers, times } = network
  const lease = { ...scopeOf(call), token: randomUUID(), lease_ms: times.lease_ms }
  const storedAnswer = await inTransaction(db, async (tx) => {
    const answer = await answers.claim(tx, call)
    if (answer) return answer
    work.read()
    await q.upsertRunning(tx, rowOf(call), lease)
    return undefined
  })
  if (storedAnswer) return storedAnswer
  try {
    const handle = await prepareWithLease(network, lease)
    return (await storeFenced(network, lease, handle)) ?? (await answerOfNewOwner(network))
  } catch (error) {
    // The key must be free before the caller gets the error and repeats the call. If this delete fails,
    // the key is free when the lease expires.
    await q.deleteRunning(db, lease).catch(() => {})
    throw error
  }
}

/** Makes the network calls, renewing the lease. Returns the function that computes the answer. */
async function prepareWithLease({ db, work, prepare, times }: NetworkCall, lease: q.Lease) {
  // Failed renewals are not retried: `storeFenced` detects a lost lease.
  const renew = () => void q.renewLease(db, lease).catch(() => {})
  const renewal = setInterval(renew, times.renew_ms)
  try {
    await prepare()
    return (tx: Tx) => handleInSavepoint(tx, work)
  } catch (error) {
    if (!isAnswer(error)) throw error
    return async () => work.render(error)
  } finally {
    clearInterval(renewal)
  }
}

/**
 * Computes and stores the answer. Returns undefined without writing if another call has the key, because
 * this process was suspended for longer than its lease (decision 122).
 */
function storeFenced(
  { db, call, answers }: NetworkCall,
  lease: q.Lease,
  handle: (tx: Tx) => Promise<Answer>,
): Promise<Answer | undefined> {
  return inTransaction(db, async (tx) => {
    await q.lockKey(tx, lockOf(call))
    if (!(await q.ownsLease(tx, lease))) return undefined
    return answers.store(tx, call, await handle(tx))
  })
}

function answerOfNewOwner({ db, call, answers }: NetworkCall): Promise<Answer> {
  return inTransaction(db, async (tx) => {
    const storedAnswer = await answers.claim(tx, call)
    if (storedAnswer) return storedAnswer
    throw keyInProgress()
  })
}
