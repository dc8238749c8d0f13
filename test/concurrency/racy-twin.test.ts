import { expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { diagnose } from '../../src/features/installation/doctor/index.ts'
import { keysNamed } from '../build.ts'
import { countOf, faultsOf, keysOf, sendBuyers } from './buyers.ts'
import { sharedRaceStore } from './market-for-all.ts'
import { putOnSale } from './put-on-sale.ts'

const lost: string[] = []

const LOCK = /\bfor (no key )?update( of \w+)?( skip locked)?/gi

/** Removes `for update` from every statement before it is sent, and records the statement. */
const unlocked: DatabaseOptions['onConnect'] = (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((statement: string | { text: string }, ...rest: unknown[]) => {
    if (typeof statement === 'string') return query(statement, ...rest)
    const text = statement.text.replace(LOCK, '')
    if (text !== statement.text) lost.push(statement.text)
    return query({ ...statement, text }, ...rest)
  }) as typeof client.query
}

const raceStore = sharedRaceStore({ onConnect: unlocked })

test('the rush without row locks breaks promises, so the rush can see a missing lock', async (context) => {
  const tradepost = await raceStore.openStoreFixture(context)
  const game = await putOnSale(tradepost, keysNamed('RACY-ABCDEFGH', 20))
  const visits = await sendBuyers(tradepost, game, new Array(100).fill(1))
  const { findings } = await diagnose(tradepost.app)

  expect(lost.length).toBeGreaterThan(0)
  const broken = {
    oversold: countOf(visits, 'completed') > 20,
    doubled: new Set(keysOf(visits)).size < keysOf(visits).length,
    failed: faultsOf(visits).some((said) => said.startsWith('500')),
    swept: findings.some(({ ok, check }) => !ok && check !== 'durable_commits'),
  }
  expect(Object.values(broken)).toContain(true)
})
