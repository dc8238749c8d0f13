import { expect, test } from 'vitest'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import { call, type Target, targetOf } from './client.ts'
import { freshDatabase, type RealPostgres, settingsFor, sharedPostgres } from './real-postgres.ts'
import { createMigratedInstallation } from './spawn-server.ts'

const requirePostgres = sharedPostgres()

const MARKER = 'marker-9f3c'
const customer = { email: `${MARKER}@example.com`, name: `${MARKER} Name` }

/** Constraints whose errors contain values of the refused row. */
const CONSTRAINTS = [
  {
    error: 'a check that fails, whose detail contains the whole row',
    statement: `alter table customer add constraint refused check (email not like '${MARKER}%')`,
    err: { code: '23514', constraint: 'refused', table: 'customer' },
  },
  {
    error: 'an invalid value, whose message contains the value',
    statement: 'alter table "order" add check (customer_name::integer is null) not valid',
    err: { code: '22P02' },
  },
]

test.for(CONSTRAINTS)(
  'the log contains the code and the stack, and no values and no secrets, of $error',
  async ({ statement, err }, context) => {
    const postgresServer = requirePostgres(context)
    const { lines, target } = await logOfFailedOrder(postgresServer, statement)
    const failures = lines.filter((line) => line.includes('INTERNAL_ERROR'))
    expect(failures).toHaveLength(1)
    const line = JSON.parse(failures[0] ?? '')
    expect(line).toMatchObject({ level: 50, msg: 'INTERNAL_ERROR', err })
    expect(line.err.stack).toContain(line.err.message)
    for (const secret of [MARKER, target.key, 'whsec_', 'postgres://']) {
      expect(lines.filter((item) => item.includes(secret))).toEqual([])
    }
  },
)

/** Adds a constraint, and returns the log lines of a server whose order the constraint refuses. */
async function logOfFailedOrder(
  postgresServer: RealPostgres,
  statement: string,
): Promise<{ lines: string[]; target: Target }> {
  const database = await freshDatabase(postgresServer)
  const installation = await createMigratedInstallation({
    ...settingsFor(database.url),
    LOG_LEVEL: 'debug',
  })
  try {
    const server = await installation.start()
    const target = targetOf(server)
    const body = { name: 'Service', type: 'service', price_cents: 1 }
    const { id } = (await call(target, 'POST', '/products', { body })).json.product as Json
    await ask(database.url, statement)
    const order = { items: [{ product_id: id, quantity: 1 }], customer }
    const answer = await call(target, 'POST', '/orders', { body: order, idempotencyKey: MARKER })
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain(MARKER)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    // The banner is the only output that is not a log line.
    const output = `${server.stdout()}\n${server.stderr()}`.split('\n')
    return { lines: output.filter((line) => line.startsWith('{')), target }
  } finally {
    await installation.close()
    await database.drop()
  }
}
