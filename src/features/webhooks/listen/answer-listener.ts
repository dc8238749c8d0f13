import { CommandError, type Input } from '../../../command.ts'
import { never } from '../../../kernel/never.ts'
import type { StoreContext } from '../../../store-context.ts'
import { closeListener } from './close-listener.ts'
import { openListener } from './open-listener.ts'
import { pollDeliveries, readBodyPart } from './poll-deliveries.ts'
import { ListenerRequest } from './schema.ts'

/** Handles one request of `webhooks listen` in the server. */
export async function answerListener(
  context: StoreContext,
  input: Input,
  signal: AbortSignal,
): Promise<unknown> {
  const { data: request } = ListenerRequest.safeParse(input)
  if (!request)
    throw new CommandError(
      'The listener and the server have different versions. Start both with one version.',
    )
  switch (request.step) {
    case 'open':
      return openListener(context, request)
    case 'next':
      return pollDeliveries(context, request, signal)
    case 'part':
      return readBodyPart(context, request)
    case 'close':
      return closeListener(context, request)
    default:
      return never(request)
  }
}
