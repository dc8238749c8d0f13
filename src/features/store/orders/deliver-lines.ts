import type { Tx } from '../../../db/database.ts'
import type { StoreContext } from '../../../store-context.ts'
import { selectDownloadableVariants } from '../content/index.ts'
import { ORDER_LIFE } from '../order-life.ts'
import type { BundleSales, TakenLine } from '../stock/index.ts'
import type { OrderLine } from './lines.rules.ts'
import type { NewDelivery } from './queries/deliveries.ts'

/** The delivery types that need nothing after the payment: stock keys, license keys and files. */
const IMMEDIATE_TYPES: ReadonlySet<string> = new Set(['serial', 'license', 'file'])

/** Returns the lines with what `takeStock` has to know of them. */
export const asStockLines = <Line extends Pick<OrderLine, 'delivery_type'>>(
  lines: readonly Line[],
): (Line & { needsKeys: boolean })[] =>
  lines.map((line) => ({ ...line, needsKeys: line.delivery_type === 'serial' }))

/** Returns the number of sold bundles by product. A bundle counts when its order is paid. */
export function bundleSalesOf(
  lines: readonly Pick<OrderLine, 'bundle_product_id' | 'bundle_units'>[],
): BundleSales {
  const sales = new Map<number, number>()
  for (const { bundle_product_id: id, bundle_units: units } of lines) {
    if (id !== null && units) sales.set(id, (sales.get(id) ?? 0) + units)
  }
  return sales
}

/** Returns the delivery of each paid line. A line of type `file` whose product has no file waits for the seller. */
export async function planDeliveries<Line extends OrderLine>(
  tx: Tx,
  { store }: StoreContext,
  lines: readonly Line[],
  takenLines: readonly TakenLine[],
): Promise<(NewDelivery & { line: Line })[]> {
  const fileLines = lines.filter((line) => line.delivery_type === 'file')
  const variantIds = fileLines.map((line) => line.variant_id)
  const variantsWithFiles = await selectDownloadableVariants(tx, store.id, variantIds)
  return lines.map((line, index) => {
    const { product_id, product_hash, variant_id, delivery_type: type } = line
    const { served = false, keyIds = [] } = takenLines[index] ?? {}
    const hasContent = type !== 'file' || variantsWithFiles.has(variant_id)
    const delivered = IMMEDIATE_TYPES.has(type) && hasContent && served
    return { line, product_id, product_hash, variant_id, type, delivered, key_ids: keyIds }
  })
}

/** Creates the license keys of the lines of an order that were served. */
export async function createLicenseKeysOf(
  tx: Tx,
  context: StoreContext,
  orderId: string,
  servedLines: readonly (OrderLine & { id: number })[],
): Promise<void> {
  const licenseLines = servedLines
    .filter((line) => line.delivery_type === 'license')
    .map(({ id: order_item_id, ...line }) => ({ order_item_id, ...line }))
  if (licenseLines.length > 0)
    await ORDER_LIFE.paid.licensing.createKeys(tx, context, orderId, licenseLines)
}
