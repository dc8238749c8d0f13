import { setImmediate as turn } from 'node:timers/promises'
import type { App, ClockMove } from '../../app.ts'
import { asStore, selectStoreById } from '../../features/installation/index.ts'
import { Refusal } from '../../kernel/errors.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import type { Store } from '../../store-context.ts'
import { JOBS } from '../jobs.ts'
import { planSeller, planSubscriptions } from './growth.ts'
import { openOperations } from './operate.ts'
import { planOrders } from './orders.ts'
import { makePeople } from './people.ts'
import { createRandom } from './random.ts'
import { planSetUp } from './set-up.ts'
import { planSupport } from './support.ts'
import type { Size, Trade } from './trade.ts'

/** Everything falls due later than this after the step that caused it. */
const LOOK_MS = 6 * HOUR_MS
const DUE = ['expire-orders', 'renew-subscriptions']

export interface Filling {
  seed: number
  size: Size
  signal: AbortSignal
  /** Called after each step. */
  onStep?(done: number, planned: number): Promise<void>
}

export interface Filled {
  steps: number
  /** Steps that the use case refused, with its reason. */
  refused: string[]
}

/** Work of the shop's past. */
interface Step {
  moment: number
  run(): Promise<unknown>
}

const SETTINGS = {
  // Orders that wait for a transfer stay for two days.
  order_expiry_minutes: 2_880,
  return_window_days: 30,
  support_email: 'help@example.com',
}

const PROGRAM = {
  enabled: true,
  public_signup: true,
  commission_percent: 12,
  hold_days: 14,
  min_payout_cents: 1_000,
}

/**
 * Fills an empty store with the trade of the past days, by the use cases of the API. The steps run in
 * the order of their moments, and what falls due in between happens as under a test clock. Throws if
 * the signal aborts.
 */
export async function fillStore(app: App, empty: Store, filling: Filling): Promise<Filled> {
  const { signal, onStep } = filling
  const until = app.clock.now() + empty.clock_offset_ms
  const store = await withSettings(app, empty, until - filling.size.days * DAY_MS)
  const queue = openQueue(until)
  const clock = { now: until }
  const trade = openTrade(app, store, filling, { queue, clock, until })
  for (const plan of [planSetUp, planOrders, planSubscriptions, planSupport, planSeller])
    plan(trade)

  const runDueUntil = dueWork(app, store, signal)
  const filled: Filled = { steps: 0, refused: [] }
  for (let step = queue.next(); step; step = queue.next()) {
    signal.throwIfAborted()
    await runDueUntil(step.moment)
    clock.now = step.moment
    await step.run().catch((error) => {
      if (!(error instanceof Refusal)) throw error
      filled.refused.push(`${new Date(clock.now).toISOString()} ${error.message}`)
    })
    filled.steps += 1
    await onStep?.(filled.steps, filled.steps + queue.length())
    // Other work of the process has its turn.
    await turn()
  }
  await runDueUntil(until)
  return filled
}

/** The store with its settings and features, which each context carries. */
async function withSettings(app: App, store: Store, moment: number): Promise<Store> {
  const operate = openOperations(app, store)
  await operate('account.update_settings', { body: SETTINGS }, moment)
  await operate('affiliates.update_program', { body: PROGRAM }, moment)
  const row = await selectStoreById(app.db, store.id)
  return row ? asStore(row) : store
}

interface Workshop {
  queue: ReturnType<typeof openQueue>
  clock: { now: number }
  until: number
}

function openTrade(
  app: App,
  store: Store,
  { seed, size }: Filling,
  { queue, clock, until }: Workshop,
): Trade {
  const operate = openOperations(app, store)
  const random = createRandom(seed)
  return {
    random,
    size,
    from: until - size.days * DAY_MS,
    until,
    people: makePeople(random, size.customers),
    goods: new Map(),
    rates: new Map(),
    partners: [],
    allowsLoopback: app.config.webhookAllowedHosts.has('127.0.0.1'),
    call: (operation, input) => operate(operation, input, clock.now),
    plan: (moment, run) => queue.add({ moment: Math.floor(moment), run }),
    now: () => clock.now,
  }
}

/** Steps by their moments; those of one moment in the order in which they were planned. */
function openQueue(until: number) {
  const steps: Step[] = []
  return {
    add(step: Step) {
      if (step.moment > until) return
      let [low, high] = [0, steps.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((steps[middle]?.moment ?? 0) <= step.moment) low = middle + 1
        else high = middle
      }
      steps.splice(low, 0, step)
    },
    next: () => steps.shift(),
    length: () => steps.length,
  }
}

/** Returns the function that does what is due in the store up to a moment, each at its own moment. */
function dueWork(app: App, store: Store, signal: AbortSignal) {
  const followers = JOBS.flatMap(({ name, clock }) => (DUE.includes(name) && clock ? [clock] : []))
  const machine = { now: 0 }
  const past: App = { ...app, clock: { now: () => machine.now } }
  const move: ClockMove = {
    store,
    patience_ms: 0,
    signal,
    stopped: (reason) => new Error(reason),
  }
  let known = 0
  return async (until: number) => {
    while (until >= known) {
      const dues = await Promise.all(followers.map((follower) => follower.nextDue?.(past, store)))
      const next = Math.min(...dues.map((due) => (due ? Date.parse(due) : Infinity)))
      if (next > until) {
        known = Math.min(next, until + LOOK_MS)
        return
      }
      machine.now = next - store.clock_offset_ms
      for (const follower of followers) await follower.runDue?.(past, move)
    }
  }
}
