import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, found, invalid } from '../../../kernel/errors.ts'
import { mapInSlices } from '../../../kernel/slices.ts'
import type { StoreContext } from '../../../store-context.ts'
import * as counters from './queries/counters.ts'
import * as q from './queries/keys.ts'
import { type KeyReport, type NewKeys, whyNoKey } from './schema.ts'
import { stockKeySealContext } from './sealed.ts'
import { reportOn } from './stock.rules.ts'
import { emitRestocked } from './watch-stock.ts'

/** Adds keys to a variant's stock. A key that it has or had is skipped, or refuses the whole call. */
export async function addKeys(
  context: StoreContext,
  productRef: string,
  variantId: number,
  { keys, skip_duplicates, dry_run, import_id }: NewKeys,
): Promise<{ added: number; skipped: number; report?: KeyReport }> {
  const { store, now } = context
  if (dry_run) {
    context.audit.done()
    return tryKeys(context, productRef, variantId, keys)
  }
  const sealed = await sealAll(context, keys)
  return inTransaction(context.db, async (tx) => {
    await counters.lockCounters(tx, store.id, [variantId])
    const variant = await findSerial(context, tx, productRef, variantId)
    if (!skip_duplicates) await refuseKnown(context, tx, variantId, sealed)
    const once = [...new Map(keys.map((key, at) => [key, sealed[at] as q.SealedKey])).values()]
    const addition = { now, importId: import_id ?? null, keys: once }
    const added = await q.insertKeys(tx, store.id, variantId, addition)
    if (added > 0) {
      if (variant.stock_mode === 'calculated')
        await counters.addOnHand(tx, store.id, variantId, added)
      await emitRestocked(
        tx,
        context,
        { product_id: variant.product_id, variant_id: variantId },
        added,
      )
    }
    return { added, skipped: keys.length - added }
  })
}

/** Reports the result of adding the keys, line by line, and adds none. */
async function tryKeys(
  context: StoreContext,
  productRef: string,
  variantId: number,
  keys: readonly string[],
): Promise<{ added: number; skipped: number; report: KeyReport }> {
  const { db, store } = context
  await findSerial(context, db, productRef, variantId)
  const hmacs = await mapInSlices(keys, (key) => stockKeyHash(context, key))
  const known = await q.selectKnown(db, store.id, variantId, hmacs)
  const report = reportOn(
    keys.map((key, at) => ({ why: whyNoKey(key), name: hmacs[at]?.toString('base64') ?? '' })),
    known,
  )
  return { added: report.new, skipped: keys.length - report.new, report }
}

/** The variant, if it is one that keys are handed over for. */
async function findSerial(
  { store }: StoreContext,
  db: StoreContext['db'],
  productRef: string,
  variantId: number,
) {
  const variant = found(await q.selectVariant(db, store.id, productRef, variantId), 'Variant')
  if (variant.delivery_type === 'serial') return variant
  throw invalid(
    'variant_id',
    `Only a serial variant has stock keys; this one is ${variant.delivery_type}.`,
  )
}

export const stockKeyHash = ({ vault }: StoreContext, value: string): Buffer =>
  vault.hmac('stock_key', value)

/** Before the transaction: thousands take a while, and no other call should wait for their row. */
const sealAll = (context: StoreContext, keys: readonly string[]): Promise<q.SealedKey[]> =>
  mapInSlices(keys, (value) => {
    const value_hmac = stockKeyHash(context, value)
    return {
      value_hmac,
      value_enc: context.vault.seal(stockKeySealContext(context.store.id, value_hmac), value),
    }
  })

/** Refuses all of them if one is not new, and names the first: stored before, or sent twice. */
async function refuseKnown(
  { store }: StoreContext,
  tx: Tx,
  variantId: number,
  keys: q.SealedKey[],
) {
  const hmacs = keys.map((key) => key.value_hmac)
  const seen = new Set((await q.selectKnown(tx, store.id, variantId, hmacs)).keys())
  const at = hmacs.findIndex((hmac) => {
    const name = hmac.toString('base64')
    return seen.has(name) || !seen.add(name)
  })
  if (at >= 0) throw alreadyTaken(`keys[${at}]`, 'This variant has, or had, this key already.')
}
