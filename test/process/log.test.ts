import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../database.ts'
import type { Json } from '../harness.ts'
import type { Unavailable } from '../postgres/server.ts'
import { call, type Target } from './client.ts'
import {
  closePostgres,
  freshDatabase,
  openPostgres,
  postgresOrSkip,
  type RealPostgres,
} from './real-postgres.ts'
import { createMigratedInstallation } from './spawn-server.ts'

/** The log of a failed statement: its location and reason, and none of its values. */

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
})
afterAll(() => closePostgres(postgres))

const MARKER = 'marker-9f3c'
const customer = { email: `${MARKER}@example.com`, name: `${MARKER} Name` }

/** Ways in which PostgreSQL refuses a statement, each of which it explains with the values. */
const BREAKS = [
  {
    what: 'a row that a check refuses, which is told whole in the detail',
    statement: `alter table customer add constraint refused check (email not like '${MARKER}%')`,
    err: { code: '23514', constraint: 'refused', table: 'customer' },
  },
  {
    what: 'a value that does not fit its column, which is told in the message',
    statement: 'alter table "order" add check (customer_name::integer is null) not valid',
    err: { code: '22P02' },
  },
]

test.for(BREAKS)('nothing of $what', { timeout: 60_000 }, async ({ statement, err }, context) => {
  await broken(postgresOrSkip(context, postgres), statement, (lines, target) => {
    const failures = lines.filter((line) => line.includes('INTERNAL_ERROR'))
    expect(failures).toHaveLength(1)
    const line = JSON.parse(failures[0] ?? '')
    expect(line).toMatchObject({ level: 50, msg: 'INTERNAL_ERROR', err })
    expect(line.err.stack).toContain(line.err.message)
    for (const secret of [MARKER, target.key, 'whsec_', 'postgres://']) {
      expect(lines.filter((item) => item.includes(secret))).toEqual([])
    }
  })
})

/** The lines of the log of a shop whose order failed. */
async function broken(
  own: RealPostgres,
  statement: string,
  look: (lines: string[], target: Target) => void,
): Promise<void> {
  const database = await freshDatabase(own)
  const installation = await createMigratedInstallation({
    DATABASE_URL: database.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'debug',
  })
  try {
    const server = await installation.start()
    const target = { origin: server.origin, store: server.live.id, key: server.live.api_key ?? '' }
    const body = { name: 'Service', type: 'service', price_cents: 1 }
    const { id } = (await call(target, 'POST', '/products', { body })).json.product as Json
    await ask(database.url, statement)
    const order = { items: [{ product_id: id, quantity: 1 }], customer }
    const failed = await call(target, 'POST', '/orders', { body: order, idempotencyKey: MARKER })
    expect(failed.status).toBe(500)
    expect(failed.text).not.toContain(MARKER)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    // The banner is the only output that is not a log line.
    const said = `${server.stdout()}\n${server.stderr()}`.split('\n')
    look(
      said.filter((item) => item.startsWith('{')),
      target,
    )
  } finally {
    await installation.close()
    await database.drop()
  }
}
