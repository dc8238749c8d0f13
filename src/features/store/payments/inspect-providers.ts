import { type App, type Inspection, storeContextOf } from '../../../app.ts'
import { inBackground } from '../../../db/database.ts'
import { inParallel } from '../../../kernel/in-parallel.ts'
import { DAY_MS, iso, MINUTE_MS } from '../../../kernel/time.ts'
import { checkTarget } from '../../../network/address.rules.ts'
import type { Store } from '../../../store-context.ts'
import { selectStores } from '../../installation/index.ts'
import { connectedProviders, type Probe, type Provider } from '../payment-providers/index.ts'
import * as q from './queries.ts'

/** The number of connections that are asked, and of those that are asked at the same time. */
const PROBED_MAX = 100
const CONCURRENCY = 8
/** A callback is refused if its signature is older than five minutes (decision 456). */
const CLOCK_DIFFERENCE_MAX_MS = MINUTE_MS
/** The callbacks of younger payments may be on their way. */
const CALLBACK_WAIT_MS = 10 * MINUTE_MS
const HOLD_DAYS = 30

/** A provider that a store has connected. */
interface Connection {
  store: Store
  provider: Provider
}

/** Checks the connections to payment providers for `doctor`. The provider `test` is a part of this program. */
export async function inspectProviders(app: App): Promise<Inspection[]> {
  const stores = await selectStores(app.db)
  const connections = stores.flatMap((store) =>
    connectedProviders(store)
      .filter(({ name }) => name !== 'test')
      .map((provider) => ({ store, provider })),
  )
  const probes = await probeAll(app, connections.slice(0, PROBED_MAX))
  return [
    credentialsInspection(connections, probes),
    clockInspection(probes),
    addressInspection(app, connections),
    await callbackInspection(app),
    await agreementInspection(app, probes),
    await holdInspection(app),
  ]
}

interface Probed extends Connection {
  probe: Probe
  /** The time by which this machine is ahead of the provider. */
  ahead_ms: number
}

async function probeAll(app: App, connections: readonly Connection[]): Promise<Probed[]> {
  const probed: Probed[] = []
  await inParallel(connections, CONCURRENCY, async (item) => {
    const probe = await item.provider.probe(storeContextOf(app, item.store))
    const provider_ms = probe.state === 'works' ? probe.provider_ms : null
    probed.push({
      ...item,
      probe,
      ahead_ms: provider_ms === null ? 0 : app.clock.now() - provider_ms,
    })
  })
  return probed
}

const nameOf = ({ provider, store }: Connection): string =>
  `${provider.name} of ${store.slug} (${store.hash})`

/** A passed check. */
const fine = (check: string, detail: string): Inspection => ({
  check,
  ok: true,
  detail,
  cure: null,
})

function credentialsInspection(
  connections: readonly Connection[],
  probes: readonly Probed[],
): Inspection {
  const check = 'provider_credentials'
  const [refused, ...otherRefused] = probes.filter(({ probe }) => probe.state === 'refused')
  if (refused) {
    const { provider, store } = refused
    return {
      check,
      ok: false,
      detail: `A payment provider refuses the keys of a store. Connections: ${otherRefused.length + 1}, such as ${nameOf(refused)}.`,
      cure: `Enter keys that it accepts: tradepost payments connect ${provider.name} --store ${store.hash}`,
    }
  }
  const [silent, ...otherSilent] = probes.filter(({ probe }) => probe.state === 'unreachable')
  if (silent)
    return {
      check,
      ok: true,
      detail: `A payment provider does not answer. Connections: ${otherSilent.length + 1}, such as ${nameOf(silent)}.`,
      cure: 'Check that this machine reaches the provider, and run doctor again.',
    }
  return fine(
    check,
    `Payment providers accept the keys of their stores. Connections: ${connections.length}, of which ${probes.length} were asked.`,
  )
}

function clockInspection(probes: readonly Probed[]): Inspection {
  const check = 'provider_clock'
  const [worst] = [...probes].sort((a, b) => Math.abs(b.ahead_ms) - Math.abs(a.ahead_ms))
  if (!worst || Math.abs(worst.ahead_ms) <= CLOCK_DIFFERENCE_MAX_MS)
    return fine(check, 'The clock of this machine agrees with those of payment providers.')
  const seconds = Math.round(Math.abs(worst.ahead_ms) / 1_000)
  const direction = worst.ahead_ms > 0 ? 'ahead of' : 'behind'
  return {
    check,
    ok: true,
    detail: `The clock of this machine is ${seconds} s ${direction} that of ${worst.provider.name}. From 300 s on, callbacks are refused.`,
    cure: 'Set the clock, and keep it right with a time service such as chrony.',
  }
}

/** The address is judged by its text. Whether a proxy leads it here is known when the first callback arrives. */
function addressInspection(
  { config: { publicUrl } }: App,
  connections: readonly Connection[],
): Inspection {
  const check = 'callback_address'
  const target = checkTarget(publicUrl, new Set())
  if (connections.length === 0 || !('refusal' in target))
    return fine(check, 'Payment providers can reach the address for callbacks.')
  return {
    check,
    ok: true,
    detail: `Payment providers cannot send callbacks to ${publicUrl}, which is not a public https address. Payments are noticed later.`,
    cure: 'Set TRADEPOST_PUBLIC_URL to the https address of this server, and enter the new callback address at the provider.',
  }
}

async function callbackInspection({ db, clock }: App): Promise<Inspection> {
  const check = 'callbacks_arrive'
  const before = new Date(clock.now() - CALLBACK_WAIT_MS).toISOString()
  const silent = await inBackground(db, (tx) => q.selectSilentConnection(tx, before))
  if (!silent) return fine(check, 'Payment providers that have taken money have sent callbacks.')
  return {
    check,
    ok: true,
    detail: `${silent.provider} has taken payments of ${silent.slug} (${silent.hash}), and no callback of it was ever accepted.`,
    cure: `Compare the webhook endpoint at the provider with: tradepost payments list --store ${silent.hash}. Its events and its signing secret must fit too.`,
  }
}

/** The longest time that a session may live before it is paid, by which payments are older than their money. */
const SESSION_MAX_MS = DAY_MS

/**
 * Compares the newest payments of each provider that works with ours. Both findings are warnings: a callback may be on its
 * way, and a store that was connected to another account has payments that this one does not know.
 */
async function agreementInspection(app: App, probes: readonly Probed[]): Promise<Inspection> {
  const check = 'payments_agree'
  for (const connection of probes.filter(({ probe }) => probe.state === 'works')) {
    const [found] = await disagreementsOf(app, connection)
    if (!found) continue
    const { provider, store } = connection
    const order = found.number === null ? 'no order' : `order ${found.number}`
    const payment = `${found.external_id} of ${order} of ${store.slug} (${store.hash})`
    if (found.paid_at_provider)
      return {
        check,
        ok: true,
        detail: `${provider.name} has a payment as paid that is not paid here: ${payment}.`,
        cure: `Ask about all open payments: tradepost payments sweep --store ${store.hash}. Return money of no order at the provider; a restored backup has lost it.`,
      }
    return {
      check,
      ok: true,
      detail: `A payment is paid here that the account at ${provider.name} does not have as paid: ${payment}.`,
      cure: 'Look at the payment at the provider. If the store was connected to another account before, nothing is wrong.',
    }
  }
  return fine(check, 'The newest payments agree with those of their payment providers.')
}

async function disagreementsOf(app: App, { provider, store }: Connection) {
  // A provider that fails between two questions is named by the next run.
  const paid = await provider.listPaid?.(storeContextOf(app, store)).catch(() => undefined)
  if (!paid) return []
  const since = iso(paid.since_ms + SESSION_MAX_MS + store.clock_offset_ms)
  const { external_ids } = paid
  const rows = await inBackground(app.db, (tx) =>
    q.selectDisagreements(tx, store.id, { provider: provider.name, external_ids, since }),
  )
  return rows.toSorted((a, b) => Number(b.paid_at_provider) - Number(a.paid_at_provider))
}

async function holdInspection({ db, clock }: App): Promise<Inspection> {
  const check = 'holds_of_disputes'
  const now = new Date(clock.now()).toISOString()
  const forgotten = await inBackground(db, (tx) => q.selectForgottenHolds(tx, now, HOLD_DAYS))
  if (!forgotten) return fine(check, 'No order is on hold for a dispute that is long over.')
  return {
    check,
    ok: true,
    detail: `Orders that are on hold for more than ${HOLD_DAYS} days, although no dispute of them is open: ${forgotten.count}, such as number ${forgotten.number} of ${forgotten.slug} (${forgotten.hash}).`,
    cure: 'Release them in the dashboard, or refund them.',
  }
}
