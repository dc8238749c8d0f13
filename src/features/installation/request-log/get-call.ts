import { found } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { openDetails } from './call-details.ts'
import { selectCall } from './queries.ts'
import type { ApiCallInFull } from './schema.ts'

/** Returns a call with its bodies, in which secrets are masked. */
export async function getCall(
  { db, vault, store }: StoreContext,
  id: string,
): Promise<ApiCallInFull> {
  const { details_enc, ...call } = found(await selectCall(db, store.id, id), 'The call', id)
  const { masked, ...details } = openDetails(vault, store.id, id, details_enc)
  const why_not = whyNotReplay({
    livemode: store.livemode,
    masked,
    kept: details.request_body.kept,
  })
  return { ...call, ...details, replayable: why_not === null, why_not }
}

function whyNotReplay({
  livemode,
  masked,
  kept,
}: {
  livemode: boolean
  masked: boolean
  kept: boolean
}): string | null {
  if (livemode) return 'Only calls of the test side can be run again.'
  if (!kept) return 'The body of this call was not kept.'
  if (masked) return 'The call holds a secret, which the log does not keep.'
  return null
}
