import { sameEmail } from '../../../kernel/email.ts'
import { invalid } from '../../../kernel/errors.ts'
import { isGuessedFirst } from './passwords.rules.ts'

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes (decision 286). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The maximum number of concurrent computations. Each needs 19 MiB, so further ones wait. */
const CONCURRENT_MAX = 2

let runningCount = 0
const waiters: (() => void)[] = []

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  while (runningCount >= CONCURRENT_MAX) await new Promise<void>((wake) => waiters.push(wake))
  runningCount++
  try {
    return await work()
  } finally {
    runningCount--
    waiters.shift()?.()
  }
}

/** Loads the library when it is first needed, so that the server starts sooner. */
const argon2 = () => import('@node-rs/argon2')

export const hashPassword = (password: string): Promise<string> =>
  withSlot(async () => (await argon2()).hash(password, COST))

let decoyHash: Promise<string> | undefined

/** Returns true if the password matches. Without a hash it returns false after the same time. */
export async function matchesPassword(hash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword('There is no such user.')
  const comparedHash = hash ?? (await decoyHash)
  const isSame = await withSlot(async () => (await argon2()).verify(comparedHash, password))
  return isSame && hash !== null
}

/** Refuses a password that is guessed first, and one that equals the user's email address or its part before the @. */
export function checkPassword(field: string, password: string, email: string): void {
  if (isGuessedFirst(password))
    throw invalid(
      field,
      'This password is too easy to guess. Use several words, or let a program choose it.',
    )
  const [mailbox = ''] = email.split('@')
  const text = password.toLowerCase()
  if (!sameEmail(text, email) && text !== mailbox) return
  throw invalid(field, 'Use a password that is not your email address.')
}
