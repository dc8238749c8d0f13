import { invalid } from '../../../kernel/errors.ts'

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes (decision 286). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each one takes 19 MiB, so the others wait. */
const CONCURRENT_MAX = 2

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  while (running >= CONCURRENT_MAX) await new Promise<void>((wake) => waiting.push(wake))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** Loaded when the first password is checked. */
const argon2 = () => import('@node-rs/argon2')

export const hashPassword = (password: string): Promise<string> =>
  inTurn(async () => (await argon2()).hash(password, COST))

let decoy: Promise<string> | undefined

/** Without a hash, a check that fails takes the same time. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('There is no such user.')
  const known = hash ?? (await decoy)
  const isSame = await inTurn(async () => (await argon2()).verify(known, password))
  return isSame && hash !== null
}

/** Refuses a password that is part of the user's address, or the reverse. */
export function checkPassword(field: string, password: string, email: string): void {
  const [mailbox = ''] = email.split('@')
  const text = password.toLowerCase()
  if (text !== email && text !== mailbox) return
  throw invalid(field, 'Use a password that is not your e-mail address.')
}
