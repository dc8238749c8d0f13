import { setImmediate as turn } from 'node:timers/promises'
import type { App, ClockMove } from '../../app.ts'
import { selectStoreById } from '../../features/installation/index.ts'
import { Refusal } from '../../kernel/errors.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts'
import type { Store } from '../../store-context.ts'
import { JOBS } from '../jobs.ts'
import { planSeller, planSubscriptions } from './growth.ts'
import { openOperations } from './operate.ts'
import { planOrders } from './orders.ts'
import { makePeople } from './people.ts'
import { planPrograms } from './programs.ts'
import { createRandom } from './random.ts'
import { openPrograms } from './run-program.ts'
import type { DemoSize, Scenario } from './scenario.ts'
import { planSetUp } from './set-up.ts'
import { planSupport } from './support.ts'

/** Work becomes due at least this long after the step that caused it, so due times are read less often. */
const DUE_INTERVAL_MS = 6 * HOUR_MS
/** The jobs whose due work runs between the steps. */
const DUE_JOBS = ['expire-orders', 'renew-subscriptions']

interface FillOptions {
  seed: number
  size: DemoSize
  signal: AbortSignal
  /** Called after each step. */
  onStep?(done: number, planned: number): Promise<void>
}

export interface FillResult {
  steps: number
  /** The time and the reason of each step that its use case refused. */
  refused: string[]
}

/** An action that is planned for a time in the past. */
interface Step {
  moment: number
  run(): Promise<unknown>
}

const SETTINGS = {
  // Orders wait for a bank transfer for two days.
  order_expiry_minutes: 2_880,
  return_window_days: 30,
  support_email: 'help@example.com',
}

const AFFILIATE_PROGRAM = {
  enabled: true,
  public_signup: true,
  commission_percent: 12,
  hold_days: 14,
  min_payout_cents: 1_000,
}

/**
 * Fills an empty store with the orders and other records of the past days, through the use cases of the
 * API. The steps run in the order of their times, and due work runs between them as under a test clock.
 * Throws if the signal aborts.
 */
export async function fillStore(
  app: App,
  emptyStore: Store,
  options: FillOptions,
): Promise<FillResult> {
  const { signal, onStep } = options
  const until = app.clock.now() + emptyStore.clock_offset_ms
  const store = await changeSettings(app, emptyStore, until - options.size.days * DAY_MS)
  const queue = openQueue(until)
  const clock = { now: until }
  const scenario = openScenario(app, store, options, { queue, clock, until })
  for (const plan of [
    planSetUp,
    planPrograms,
    planOrders,
    planSubscriptions,
    planSupport,
    planSeller,
  ])
    plan(scenario)

  const runDueUntil = createDueWorkRunner(app, store, signal)
  const result: FillResult = { steps: 0, refused: [] }
  for (let step = queue.next(); step; step = queue.next()) {
    signal.throwIfAborted()
    await runDueUntil(step.moment)
    clock.now = step.moment
    await step.run().catch((error) => {
      if (!(error instanceof Refusal)) throw error
      result.refused.push(`${new Date(clock.now).toISOString()} ${error.message}`)
    })
    result.steps += 1
    await onStep?.(result.steps, result.steps + queue.length())
    // Lets other work of the process run.
    await turn()
  }
  await runDueUntil(until)
  return result
}

/** Changes the settings and features of the store, and returns the changed store. */
async function changeSettings(app: App, store: Store, moment: number): Promise<Store> {
  const operate = openOperations(app, store)
  await operate('account.update_settings', { body: SETTINGS }, moment)
  await operate('affiliates.update_program', { body: AFFILIATE_PROGRAM }, moment)
  return (await selectStoreById(app.db, store.id)) ?? store
}

interface Timeline {
  queue: ReturnType<typeof openQueue>
  clock: { now: number }
  until: number
}

function openScenario(
  app: App,
  store: Store,
  { seed, size }: FillOptions,
  { queue, clock, until }: Timeline,
): Scenario {
  const operate = openOperations(app, store)
  const random = createRandom(seed)
  return {
    random,
    size,
    from: until - size.days * DAY_MS,
    until,
    people: makePeople(random, size.customers),
    products: new Map(),
    rates: new Map(),
    partners: [],
    hasTestProvider: store.payment_providers.includes('test'),
    allowsLoopback: app.config.webhookAllowedHosts.has('127.0.0.1'),
    call: (operation, input) => operate(operation, input, clock.now),
    plan: (moment, run) => queue.add({ moment: Math.floor(moment), run }),
    now: () => clock.now,
    client: {
      programs: openPrograms(app, store),
      random: createRandom(seed + 1),
      app: { id: 0, public_id: '', latest_version: '' },
      devices: [],
    },
  }
}

/** Opens a queue of steps, sorted by time. Steps with equal times are in the order of planning. */
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

/** Returns a function that runs the due work of the store up to a time, each item at its due time. */
function createDueWorkRunner(app: App, store: Store, signal: AbortSignal) {
  // The work of these jobs that follows a moved clock.
  const clockFollowers = JOBS.flatMap(({ name, clock }) =>
    DUE_JOBS.includes(name) && clock ? [clock] : [],
  )
  const machineClock = { now: 0 }
  const pastApp: App = { ...app, clock: { now: () => machineClock.now } }
  const move: ClockMove = {
    store,
    stallTimeout_ms: 0,
    signal,
    stopError: (reason) => new Error(reason),
  }
  let checkedUntil = 0
  return async (until: number) => {
    while (until >= checkedUntil) {
      const dueTimes = await Promise.all(
        clockFollowers.map((follower) => follower.nextDue?.(pastApp, store)),
      )
      const nextDue_ms = Math.min(...dueTimes.map((due) => (due ? Date.parse(due) : Infinity)))
      if (nextDue_ms > until) {
        checkedUntil = Math.min(nextDue_ms, until + DUE_INTERVAL_MS)
        return
      }
      machineClock.now = nextDue_ms - store.clock_offset_ms
      for (const follower of clockFollowers) await follower.runDue?.(pastApp, move)
    }
  }
}
