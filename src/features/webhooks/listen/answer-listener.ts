import { CommandError, type Input } from '../../../command.ts'
import { never } from '../../../kernel/never.ts'
import type { StoreContext } from '../../../store-context.ts'
import { closeListener } from './close-listener.ts'
import { handOver, partOf } from './hand-over.ts'
import { openListener } from './open-listener.ts'
import { Question } from './schema.ts'

/** The shop's side of `webhooks listen`: one question of the listener, one answer. */
export async function answerListener(
  context: StoreContext,
  input: Input,
  signal: AbortSignal,
): Promise<unknown> {
  const { data: question } = Question.safeParse(input)
  if (!question) throw new CommandError('The listener is of another version than the shop.')
  switch (question.step) {
    case 'open':
      return openListener(context, question)
    case 'next':
      return handOver(context, question, signal)
    case 'part':
      return partOf(context, question)
    case 'close':
      return closeListener(context, question)
    default:
      return never(question)
  }
}
