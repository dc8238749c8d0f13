import type { App } from '../../../app.ts'
import { signedFileLink } from '../content/index.ts'
import { findPage, type PageAddress } from './open-order-page.ts'
import { shownDeliveries } from './page.rules.ts'

/**
 * Returns a new URL of a file on the page of an order; undefined if the page does not show the file. The URL is valid for
 * 15 minutes, and the page makes one for each click, so links to the page do not age (decision 464).
 */
export async function openPageFile(
  app: App,
  address: PageAddress,
  fileId: number,
): Promise<string | undefined> {
  const found = await findPage(app, address)
  if (!found) return undefined
  const { context, order } = found
  const files = shownDeliveries(order).flatMap((delivery) => delivery.files)
  if (!files.some(({ id }) => id === fileId)) return undefined
  return signedFileLink(context, { fileId, orderId: order.id }).url
}
