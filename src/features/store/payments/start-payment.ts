import { changesOf } from '../../../audit/changes.rules.ts'
import { inTransaction, type Tx } from '../../../db/database.ts'
import { invalid, invalidState, requireRecord, unavailable } from '../../../kernel/errors.ts'
import { connectedMethods, METHODS } from '../../../kernel/payment-methods.ts'
import { returnUrlProblem } from '../../../kernel/return-url.ts'
import { stateText } from '../../../kernel/state-text.ts'
import { addSeconds, DAY_MS, iso } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  acceptsMethod,
  checkStarts,
  FIRST_CHECK_S,
  insertOpenPayment,
  type LockedOrder,
  lockOrder,
  OPEN_STATUSES,
  orderUrl,
  owedCents,
  type PayableItem,
  type ProviderPayment,
  readOrder,
  selectPayableProducts,
  selectStartedPayments,
  updateOpenPayment,
} from '../orders/index.ts'
import { selectDefaults } from '../payment-methods/index.ts'
import {
  failureOf,
  type NewSession,
  type Provider,
  providerNamed,
  providerOfMethod,
  type Session,
} from '../payment-providers/index.ts'
import { applyRecord } from './apply-record.ts'
import { endPayment, endPaymentsOf } from './end-payment.ts'
import type { NewPayment } from './schema.ts'
import { beginsFree, checkSetUp } from './set-up.ts'

/** How often a start begins again because another call has changed the order meanwhile. */
const ROUNDS_MAX = 3

/** A payment that was started. `is_new` is false if it was open before. */
interface StartedPayment {
  id: number
  is_new: boolean
}

/**
 * Starts a payment of what is owed at the provider of a method, or returns the open one (decision 453). Its row is
 * committed before the provider is called, so that no page of a provider is without a payment of ours.
 */
export async function startPayment(
  context: StoreContext,
  orderId: string,
  body: NewPayment,
): Promise<StartedPayment> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const step = await inTransaction(context.db, (tx) => plan(tx, context, orderId, body))
    if (typeof step === 'object') {
      const { payment, is_new } = step
      const isOpen = payment.checkout_url !== null || (await openPage(context, step))
      if (isOpen) return { id: payment.id, is_new }
      continue
    }
    await endPaymentsOf(context, orderId, { processing: 'refused' })
  }
  throw unavailable('Other calls change this order at the same time. Repeat the call.')
}

interface OpenPayment {
  payment: ProviderPayment
  is_new: boolean
  order_number: number
  /** The end of its page, if the provider has not set one yet. */
  expires_at: string
}

type Step = OpenPayment | 'others must be ended first'

async function plan(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  { method, return_url, save_method }: NewPayment,
): Promise<Step> {
  const { store, now, audit } = context
  const order = requireRecord(await lockOrder(tx, store.id, orderId), 'Order')
  const products = await selectPayableProducts(tx, store.id, orderId)
  const provider = requireMethod(context, method, products)
  const amount_cents = await amountOf(tx, context, order, { provider, save_method })
  const started = await selectStartedPayments(tx, store.id, orderId)
  const openPayments = started.filter(({ status }) => OPEN_STATUSES.some((item) => item === status))
  const fits = (payment: ProviderPayment) =>
    payment.kind === method &&
    payment.amount_cents === amount_cents &&
    payment.ending_since === null &&
    // The charge of a saved method has no page.
    payment.saved_method === null &&
    leadsBackTo(payment, return_url) &&
    (save_method === undefined || payment.saves_method === save_method) &&
    (payment.expires_at === null || payment.expires_at > now)
  const open = openPayments.find(fits)
  const others = openPayments.filter((payment) => payment !== open)
  const expires_at = order.expires_at ?? iso(Date.parse(now) + DAY_MS)
  if (others.length > 0) return 'others must be ended first'
  const page = { order_number: order.number, expires_at }
  if (open) return { payment: open, is_new: false, ...page }

  checkStarts(started)
  const payment = await insertOpenPayment(tx, store.id, {
    order_id: orderId,
    kind: provider.method,
    status: 'pending',
    amount_cents,
    currency: order.currency,
    provider: provider.name,
    return_url: return_url ?? ownReturnUrl(context, order),
    ...(await savingOf(tx, context, order, { provider, save_method })),
    expires_at,
    check_at: addSeconds(now, FIRST_CHECK_S),
    actor: audit.origin.actor,
    created_at: now,
  })
  await audit.record(tx, [
    {
      action: 'order.start_payment',
      object: 'order',
      object_id: orderId,
      changes: changesOf(null, { payment_id: payment.id, method, amount_cents }),
    },
  ])
  return { payment, is_new: true, ...page }
}

interface Saving {
  provider: Provider
  save_method: boolean | undefined
}

/** Returns what is owed, or 0 for a payment that only saves a method (decision 176). */
async function amountOf(
  tx: Tx,
  context: StoreContext,
  order: LockedOrder,
  { provider, save_method }: Saving,
): Promise<number> {
  if (save_method === true && beginsFree(order) && provider.chargeSaved) {
    await checkSetUp(context, tx, await readOrder(context, tx, order.id), provider)
    return 0
  }
  const amount_cents = checkStartable(order)
  provider.checkAmount({ amount_cents, currency: order.currency })
  return amount_cents
}

/** Tells whether the provider saves the method, and for which of its customers. Renewals need a saved one. */
async function savingOf(
  tx: Tx,
  { store }: StoreContext,
  { recurring, customer_id }: LockedOrder,
  { provider, save_method }: Saving,
) {
  const saves_method = provider.chargeSaved !== undefined && (save_method ?? recurring !== null)
  if (!saves_method) return { saves_method }
  const known = { provider: provider.name, customerIds: [customer_id] }
  const [method] = await selectDefaults(tx, store.id, known)
  return { saves_method, provider_customer: method?.provider_customer ?? null }
}

/**
 * Returns false if the buyer would return to another page than this call names. Its page at the provider cannot be changed,
 * so it is ended. Nobody returns from the page of a payment that is being processed.
 */
const leadsBackTo = (payment: ProviderPayment, return_url: string | undefined): boolean =>
  return_url === undefined || payment.return_url === return_url || payment.status === 'processing'

/**
 * Returns the provider of a method. Refuses a missing method, one without a connected provider, and one that a product of the
 * order does not accept, and names those that are usable (decision 125).
 */
function requireMethod(
  { store }: StoreContext,
  method: string,
  products: readonly PayableItem[],
): Provider {
  const accepted = (name: string) => products.every((product) => acceptsMethod(product, name))
  const allowed = connectedMethods(store).filter(
    (name) => providerOfMethod(store, name) && accepted(name),
  )
  const provider = providerOfMethod(store, method)
  if (provider && accepted(method)) return provider
  const refusing = products.find((product) => !acceptsMethod(product, method))
  const problem = problemOf(method, provider && refusing)
  const remedy =
    allowed.length > 0
      ? `Use ${allowed.join(' or ')}.`
      : 'Connect a provider whose method all products of the order accept, with PUT /account/payment-providers/{provider}.'
  throw invalid('method', `${problem} ${remedy}`, { allowed })
}

/** The calls that record a payment which no provider takes, by method. */
const CALLS_WITHOUT_PROVIDER: Readonly<Record<string, string>> = {
  manual: 'manual-payments',
  balance: 'balance-payments',
}

function problemOf(method: string, refusing: PayableItem | undefined): string {
  if (method === '') return 'The payment method is missing.'
  if (refusing) return `${refusing.product_name} cannot be paid with ${method}.`
  const ownCall = CALLS_WITHOUT_PROVIDER[method]
  if (ownCall !== undefined)
    return `No provider takes ${method} payments: record one with POST /orders/{id}/${ownCall}.`
  return METHODS.some((name) => name === method)
    ? `The store has no connected provider that takes ${method} payments.`
    : `There is no payment method ${method}.`
}

/** Returns the URL that the order was created with, otherwise its page; null if a provider may not link to them. */
const ownReturnUrl = (context: StoreContext, order: LockedOrder): string | null =>
  [order.return_url, orderUrl(context, order)].find(
    (url) => url !== null && returnUrlProblem(url) === undefined,
  ) ?? null

/** Returns what is owed. Refuses an order that cannot be paid, or of which nothing is owed. */
function checkStartable(order: LockedOrder): number {
  const { status } = order
  if (beginsFree(order))
    throw invalidState(
      status,
      'Nothing is owed for this order. Send save_method: true to save a payment method for its renewals.',
    )
  if (status !== 'pending' && status !== 'partially_paid')
    throw invalidState(status, `This order ${stateText(status)}. Only an unpaid order can be paid.`)
  const owed = owedCents(order)
  if (owed < 1) throw invalidState(status, 'Nothing is owed for this order.')
  return owed
}

/**
 * Opens the page of the provider, and stores its address. The provider gives the same page to the same payment. Returns
 * false if the payment was ended meanwhile; its page is then ended too.
 */
async function openPage(
  context: StoreContext,
  { payment, order_number, expires_at }: OpenPayment,
): Promise<boolean> {
  const provider = providerNamed(payment.provider)
  const page = { ...payment, order_number, expires_at }
  const session = await createOrFail(context, provider, page)
  const isOpen = await updateOpenPayment(context.db, context.store.id, payment.id, session)
  if (!isOpen) await endPayment(context, { ...payment, external_id: session.external_id })
  return isOpen
}

/** Opens a page. If the provider refuses the payment as wrong, it has failed (decision 453). */
async function createOrFail(
  context: StoreContext,
  provider: Provider,
  payment: NewSession,
): Promise<Session> {
  try {
    return await provider.create(context, payment)
  } catch (error) {
    const failure = failureOf(error)
    const ref = { ...payment, provider: provider.name }
    if (failure) await applyRecord(context, ref, { status: 'failed', failure })
    throw error
  }
}
