import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeContextOf } from '../../src/app.ts'
import { INVARIANTS } from '../../src/features/installation/doctor/queries.ts'
import { createOrder } from '../../src/features/store/orders/create-order.ts'
import { NewOrder } from '../../src/features/store/orders/schema.ts'
import { createProduct } from '../../src/features/store/products/index.ts'
import { NewProduct } from '../../src/features/store/products/schema.ts'
import { putBilling } from '../../src/features/store/subscriptions/billing.ts'
import { ask } from '../database.ts'
import type { Unavailable } from '../postgres/server.ts'
import { closePostgres, openPostgres, postgresOrSkip } from '../process/real-postgres.ts'
import type { RealPostgres } from '../process/real-postgres.ts'
import { type Scene, until, withScene } from './scene.ts'

const DUE = 1_000
const PRICE = 1_000
const TIMEOUT_MS = 180_000
const DONE_MS = 120_000

let postgres: RealPostgres | Unavailable

beforeAll(async () => {
  postgres = await openPostgres()
}, TIMEOUT_MS)
afterAll(() => closePostgres(postgres))

test.each([
  ['two workers renew 1,000 due subscriptions: none is missed, and none is renewed twice', false],
  ['one of two workers is killed on the way, and still none is missed or renewed twice', true],
])(
  '%s',
  async (_, kills) => {
    await withScene({ postgres: postgresOrSkip(context_(), postgres), paths: [] }, async (scene) => {
      await makeDue(scene)
      const [first] = await Promise.all([scene.worker(), scene.worker()])
      if (kills) {
        await until(async () => (await renewed(scene)) > randomInt(50, 300), DONE_MS)
        first.kill('SIGKILL')
      }
      await until(async () => (await renewed(scene)) === DUE, DONE_MS)
      await pause(1_500)
      await expectEachOnce(scene)
    })
  },
  TIMEOUT_MS,
)
