import { readFile } from 'node:fs/promises'

/** The reason why a server cannot be started, in one sentence. It is shown for a skipped test. */
export type Unavailable = { unavailable: string }

/** The system user who runs a server. Without a uid it is the current user. */
export type Account = { uid?: number; gid?: number; name: string }

const USERS = ['postgres', 'nobody', 'node', 'daemon']

/** Returns the user for PostgreSQL and PgBouncer. They refuse to run as root, so root runs them as another user. */
export async function findAccount(): Promise<Account | Unavailable> {
  if (process.getuid === undefined) {
    return { unavailable: 'On Windows, set TEST_DATABASE_URL to a PostgreSQL server.' }
  }
  if (process.getuid() !== 0) return { name: 'this user' }

  const lines = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const accounts = lines.split('\n').map((line) => line.split(':'))
  for (const name of USERS) {
    const entry = accounts.find((fields) => fields[0] === name)
    if (entry !== undefined) return { name, uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  return { unavailable: `Root needs one of the users ${USERS.join(', ')} to run a server.` }
}
