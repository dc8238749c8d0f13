import { inTransaction } from '../../../db/database.ts'
import { found, invalid } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockedProduct } from '../products/index.ts'
import * as q from './queries.ts'
import type { Media, MediaPatch } from './schema.ts'
import { showMedia } from './show-media.ts'

/** Makes an image the main one, or changes its details. */
export async function updateMedia(
  context: StoreContext,
  ref: string,
  id: number,
  { is_main, meta }: MediaPatch,
): Promise<{ media: Media }> {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const product = await lockedProduct(context, tx, ref)
    const all = await q.selectMedia(tx, store.id, product)
    const before = found(
      all.find((item) => item.id === id),
      'Media',
    )
    if (is_main === false && before.is_main) {
      throw invalid('is_main', 'Make another image the main one instead.')
    }
    if (is_main && before.kind !== 'image') {
      throw invalid('is_main', 'Only an image can be the main one.')
    }
    if (is_main) await q.setMain(tx, store.id, product, id)
    if (meta) await q.updateMeta(tx, store.id, id, meta)
    return showMedia(context, tx, product, id)
  })
}
