import { type Db, inTransaction } from '../db/database.ts'
import { invalid } from '../kernel/errors.ts'
import type { Vault } from '../kernel/vault.ts'
import { handleInSavepoint, type Work } from './keyed-work.ts'
import { LEASE_TIMES, type LeaseTimes, runNetworkCall } from './network-call.ts'
import { type Answer, createStoredAnswers, inProgress, type KeyedCall } from './stored-answers.ts'

export type { Answer }

const KEY_LENGTH_MAX = 255

export function checkKey(key: string): string {
  if (key.length >= 1 && key.length <= KEY_LENGTH_MAX) return key
  throw invalid('Idempotency-Key', 'Use 1 to 255 characters, such as a UUID.')
}

export interface Idempotency {
  /**
   * Runs the work once for its key; a repeat gets the first answer, byte for byte (decision 10).
   */
  once(db: Db, call: KeyedCall, work: Work): Promise<Answer>
}

export function createIdempotency(vault: Vault, times: LeaseTimes = LEASE_TIMES): Idempotency {
  const aloneInProcess = createFirstCalls()
  const answers = createStoredAnswers(vault)

  return {
    once: (db, call, work) =>
      aloneInProcess(call, work, (recorded) => {
        const { ask } = recorded
        if (ask) return runNetworkCall({ db, call, work: recorded, ask, answers, times })
        return inTransaction(db, async (tx) => {
          const stored = await answers.claim(tx, call)
          if (stored) return stored
          recorded.read()
          return answers.store(tx, call, await handleInSavepoint(tx, recorded))
        })
      }),
  }
}

/**
 * Refuses a repeat within this process at once, without a database connection, while the first call
 * runs. Only a first call reads its request, so repeats of an answered call are not refused.
 */
function createFirstCalls() {
  const running = new Set<string>()

  return async (call: KeyedCall, work: Work, run: (tracked: Work) => Promise<Answer>) => {
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
