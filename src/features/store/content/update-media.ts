import { inTransaction } from '../../../db/database.ts'
import { invalid, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { lockProductByRef } from '../products/index.ts'
import * as q from './queries.ts'
import type { MediaPatch } from './schema.ts'
import { showMedia } from './show-media.ts'

/** Makes an image the main image, or changes the `meta` of an image or video. */
export async function updateMedia(
  context: StoreContext,
  ref: string,
  id: number,
  { is_main, meta }: MediaPatch,
) {
  const { store } = context
  return inTransaction(context.db, async (tx) => {
    const productId = await lockProductByRef(context, tx, ref)
    const siblings = await q.selectMedia(tx, store.id, productId)
    const before = requireRecord(
      siblings.find((item) => item.id === id),
      'Media',
    )
    if (is_main === false && before.is_main) {
      throw invalid(
        'is_main',
        'A main image cannot be unset. Set is_main to true on another image instead.',
      )
    }
    if (is_main && before.kind !== 'image') {
      throw invalid('is_main', 'A video cannot be the main image. Set is_main to false.')
    }
    if (is_main) await q.setMain(tx, store.id, productId, id)
    if (meta) await q.updateMeta(tx, store.id, id, meta)
    context.audit.reportChange(
      { is_main: before.is_main, meta: before.meta },
      { ...(is_main !== undefined && { is_main }), ...(meta && { meta }) },
    )
    return showMedia(context, tx, productId, id)
  })
}
