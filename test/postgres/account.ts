import { readFile } from 'node:fs/promises'

/** Said in one sentence to whoever reads why a test was skipped. */
export type Unavailable = { unavailable: string }

/** Whom a server runs as: nothing to change for a normal user, another user for root. */
export type Account = { uid?: number; gid?: number; name: string }

const USERS = ['postgres', 'nobody', 'node', 'daemon']

/** PostgreSQL and PgBouncer refuse to run as root, so root lends them another user. */
export async function findAccount(): Promise<Account | Unavailable> {
  if (process.getuid === undefined) {
    return { unavailable: 'On Windows, set TEST_DATABASE_URL to a PostgreSQL server.' }
  }
  if (process.getuid() !== 0) return { name: 'this user' }

  const lines = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const known = lines.split('\n').map((line) => line.split(':'))
  for (const name of USERS) {
    const entry = known.find((fields) => fields[0] === name)
    if (entry !== undefined) return { name, uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  return { unavailable: `Root needs one of the users ${USERS.join(', ')} to run a server.` }
}
