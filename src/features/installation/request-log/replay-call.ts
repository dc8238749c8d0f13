import { invalidState } from '../../../kernel/errors.ts'
import type { SendInternalCall } from '../../../kernel/internal-call.ts'
import type { StoreContext } from '../../../store-context.ts'
import { bodyOf, codeIn } from './call-details.ts'
import { getCall } from './get-call.ts'
import type { Replay } from './schema.ts'

/**
 * Repeats a call of a test side, as the user and with a new idempotency key. The repeated call is
 * authorized like any call of the dashboard, so the user's role must allow it.
 */
export async function replayCall(
  context: StoreContext,
  { send }: { send?: SendInternalCall },
  id: string,
): Promise<Replay> {
  const { method, path, request_body, why_not } = await getCall(context, id)
  if (why_not !== null) throw invalidState('not_replayable', why_not)
  if (!send)
    throw invalidState(
      'not_replayable',
      'Only a user of the dashboard can repeat a call. Sign in to the dashboard.',
    )
  const body = request_body.bytes === 0 ? undefined : JSON.stringify(request_body.content)
  const { status, text, request_id, duration_ms } = await send({ method, path, body })
  const response_body = bodyOf(text, Buffer.byteLength(text)).body
  const error_code = status >= 400 ? codeIn(response_body.content) : null
  return { request_id, status, error_code, duration_ms: Math.round(duration_ms), response_body }
}
