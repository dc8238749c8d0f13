import { type Db, inTransaction } from '../db/database.ts'
import { invalid } from '../kernel/errors.ts'
import type { Vault } from '../kernel/vault.ts'
import { handleInSavepoint, type Work } from './keyed-work.ts'
import { LEASE_TIMES, type LeaseTimes, runNetworkCall } from './network-call.ts'
import {
  type Answer,
  createStoredAnswers,
  type KeyedCall,
  keyInProgress,
  type StoredAnswers,
} from './stored-answers.ts'

export type { Answer }

const KEY_LENGTH_MAX = 255
/** Printable ASCII. Proxies and clients encode or drop other bytes of a header differently, so a repeat could differ. */
const KEY_CHARACTERS = /^[ -~]*$/

/** Returns the idempotency key of a call. `values` has the header once for each time that it was sent. */
export function checkKey([key = '', ...others]: readonly string[]): string {
  if (others.length > 0) throw invalidKey('Send one Idempotency-Key, not several.')
  if (key.length < 1 || key.length > KEY_LENGTH_MAX)
    throw invalidKey('Use 1 to 255 characters, such as a UUID.')
  if (!KEY_CHARACTERS.test(key))
    throw invalidKey('Use letters, digits and other printable ASCII characters, such as a UUID.')
  return key
}

const invalidKey = (why: string) => invalid('Idempotency-Key', why)

export interface Idempotency {
  /**
   * Runs the work once for its key. A repeated call gets the bytes of the first answer (decision 10).
   */
  once(db: Db, call: KeyedCall, work: Work): Promise<Answer>
}

export function createIdempotency(vault: Vault, times: LeaseTimes = LEASE_TIMES): Idempotency {
  const runIfFirst = createFirstCalls()
  const answers = createStoredAnswers(vault)

  return {
    once: (db, call, work) =>
      runIfFirst(call, work, (trackedWork) => {
        const { prepare } = trackedWork
        if (prepare) return runNetworkCall({ db, call, work: trackedWork, prepare, answers, times })
        return runCall({ db, call, work: trackedWork, answers })
      }),
  }
}

interface Run {
  db: Db
  call: KeyedCall
  work: Work
  answers: StoredAnswers
}

/** Runs a call in one transaction. Work after its commit replaces the stored answer. */
async function runCall({ db, call, work, answers }: Run): Promise<Answer> {
  let isFirst = false
  const answer = await inTransaction(db, async (tx) => {
    const storedAnswer = await answers.claim(tx, call)
    isFirst = storedAnswer === undefined
    if (storedAnswer) return storedAnswer
    work.read()
    return answers.store(tx, call, await handleInSavepoint(tx, work))
  })
  const finished = isFirst ? await work.finish?.() : undefined
  return finished ? answers.replace(db, call, finished) : answer
}

/**
 * Refuses a repeated call in this process without a database connection, while the first call runs.
 * Only a first call reads its request, so repeats of an answered call are not refused.
 */
function createFirstCalls() {
  const running = new Set<string>()

  return async (call: KeyedCall, work: Work, run: (trackedWork: Work) => Promise<Answer>) => {
    const scope = `${call.storeId}|${call.keyId}|${call.key}`
    if (running.has(scope)) throw keyInProgress()
    let isFirst = false
    const read = () => {
      isFirst = true
      running.add(scope)
      work.read()
    }
    try {
      return await run({ ...work, read })
    } finally {
      if (isFirst) running.delete(scope)
    }
  }
}
