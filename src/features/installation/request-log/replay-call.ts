import { invalidState } from '../../../kernel/errors.ts'
import type { RepeatCall } from '../../../kernel/internal-call.ts'
import type { StoreContext } from '../../../store-context.ts'
import { bodyOf, codeIn } from './call-details.ts'
import { getCall, NO_OPERATION, prepareRepeat } from './get-call.ts'
import type { Replay } from './schema.ts'

/**
 * Repeats a call of a test side, as the user and with a new idempotency key. The repeated call is
 * authorized like any call of the dashboard, so the user's role must allow it.
 */
export async function replayCall(
  context: StoreContext,
  caller: { repeat?: RepeatCall },
  id: string,
): Promise<Replay> {
  const { why_not, request_body, ...call } = await getCall(context, caller, id)
  const send = prepareRepeat(call, caller.repeat)
  if (why_not !== null || !send) throw invalidState('not_replayable', why_not ?? NO_OPERATION)
  const body = request_body.bytes === 0 ? undefined : JSON.stringify(request_body.content)
  const { status, text, request_id, duration_ms } = await send(body)
  const response_body = bodyOf(text, Buffer.byteLength(text)).body
  const error_code = status >= 400 ? codeIn(response_body.content) : null
  return { request_id, status, error_code, duration_ms: Math.round(duration_ms), response_body }
}
