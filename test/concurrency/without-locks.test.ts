import { expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import { keysNamed } from '../build.ts'
import { countOf, faultsOf, keysOf, runBuyers } from './buyers.ts'
import { putOnSale } from './put-on-sale.ts'
import { sharedDatabase } from './shared-database.ts'

const changedStatements: string[] = []

const LOCK_CLAUSE = /\bfor (no key )?update( of \w+)?( skip locked)?/gi

/** Removes `for update` from every statement before it is sent, and records these statements. */
const removeLocks: DatabaseOptions['onConnect'] = (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((statement: string | { text: string }, ...rest: unknown[]) => {
    if (typeof statement === 'string') return query(statement, ...rest)
    const text = statement.text.replace(LOCK_CLAUSE, '')
    if (text !== statement.text) changedStatements.push(statement.text)
    return query({ ...statement, text }, ...rest)
  }) as typeof client.query
}

const database = sharedDatabase({ onConnect: removeLocks })

test('a checkout without row locks breaks invariants, which shows that the concurrency tests detect a missing lock', async (context) => {
  const tradepost = await database.openStore(context)
  const game = await putOnSale(tradepost, keysNamed('RACY-ABCDEFGH', 20))
  const purchases = await runBuyers(tradepost, game, new Array(100).fill(1))
  const { findings } = await diagnose(tradepost.app)

  expect(changedStatements.length).toBeGreaterThan(0)
  const symptoms = {
    oversold: countOf(purchases, 'completed') > 20,
    soldTwice: new Set(keysOf(purchases)).size < keysOf(purchases).length,
    failed: faultsOf(purchases).some((message) => message.startsWith('500')),
    brokenInvariants: findings.some(({ ok, check }) => !ok && check !== 'durable_commits'),
  }
  expect(Object.values(symptoms)).toContain(true)
})
