import { invalidState } from '../../../kernel/errors.ts'
import type { SendFurther } from '../../../kernel/further-call.ts'
import type { StoreContext } from '../../../store-context.ts'
import { bodyOf, codeIn } from './call-details.ts'
import { getCall } from './get-call.ts'
import type { Replay } from './schema.ts'

/**
 * Runs a call of a test side again, as the user and with another idempotency key. It takes the same
 * way through the server as a call of the dashboard, so the role must allow it.
 */
export async function replayCall(
  context: StoreContext,
  { send }: { send?: SendFurther },
  id: string,
): Promise<Replay> {
  const { method, path, request_body, why_not } = await getCall(context, id)
  if (why_not !== null) throw invalidState('not_replayable', why_not)
  if (!send) throw invalidState('not_replayable', 'Only a user of the dashboard can run it again.')
  const body = request_body.bytes === 0 ? undefined : JSON.stringify(request_body.content)
  const { status, text, request_id, duration_ms } = await send({ method, path, body })
  const response_body = bodyOf(text, Buffer.byteLength(text)).body
  const error_code = status >= 400 ? codeIn(response_body.content) : null
  return { request_id, status, error_code, duration_ms: Math.round(duration_ms), response_body }
}
