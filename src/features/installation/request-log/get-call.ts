import { requireRecord } from '../../../kernel/errors.ts'
import type { RepeatCall, SendCall } from '../../../kernel/internal-call.ts'
import type { StoreContext } from '../../../store-context.ts'
import { openDetails } from './call-details.ts'
import * as q from './queries.ts'
import type { ApiCall, ApiCallInFull } from './schema.ts'

export const NO_OPERATION =
  'The path of this call names no operation. Send the call from your program again.'

/** Returns a call with its bodies, in which secrets are masked. */
export async function getCall(
  { db, vault, store }: StoreContext,
  { repeat }: { repeat?: RepeatCall },
  id: string,
): Promise<ApiCallInFull> {
  const { details_enc, ...call } = requireRecord(
    await q.selectCall(db, store.id, id),
    'The call',
    id,
  )
  const { masked, ...details } = openDetails(vault, store.id, id, details_enc)
  const why_not = whyNotReplay({
    isLive: store.livemode,
    namesOperation: prepareRepeat(call, repeat) !== undefined,
    isBodyStored: details.request_body.kept,
    containsSecret: masked,
  })
  return { ...call, ...details, replayable: why_not === null, why_not }
}

/** Returns the function that sends the call again; undefined if its path names no operation. */
export const prepareRepeat = (
  { api, operation, path }: Pick<ApiCall, 'api' | 'operation' | 'path'>,
  repeat: RepeatCall | undefined,
): SendCall | undefined => (operation === null ? undefined : repeat?.({ api, operation, path }))

/** Returns null if the call can be repeated. */
function whyNotReplay(call: {
  isLive: boolean
  namesOperation: boolean
  isBodyStored: boolean
  containsSecret: boolean
}): string | null {
  if (call.isLive) return 'A call of the live side cannot be repeated. Choose one of the test side.'
  if (!call.namesOperation) return NO_OPERATION
  if (!call.isBodyStored)
    return 'The body of this call was not stored. Send the call from your program again.'
  if (call.containsSecret)
    return 'The call contains a secret, which the log does not store. Send the call from your program again.'
  return null
}
