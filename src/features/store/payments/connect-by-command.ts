import type { z } from 'zod'
import { CommandError } from '../../../command.ts'
import { Refusal } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  checkConnection,
  connectProvider,
  type PaymentProvider,
} from '../payment-providers/index.ts'

/** Connects a provider with the credentials that the command line has read. A refusal names the wrong one. */
export async function connectByCommand(
  context: StoreContext,
  name: string,
  credentials: Record<string, string>,
): Promise<PaymentProvider> {
  try {
    const connection = await checkConnection(context, name, (shape) => parse(shape, credentials))
    return await connectProvider(context, name, connection)
  } catch (error) {
    if (!(error instanceof Refusal) || error.details?.field === undefined) throw error
    throw new CommandError(`${error.details.field}: ${error.message}`)
  }
}

function parse<S extends z.ZodType>(shape: S, credentials: Record<string, string>): z.output<S> {
  const result = shape.safeParse(credentials)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const name = issue?.path.join('.') ?? ''
  if (issue?.code === 'unrecognized_keys')
    throw new CommandError(
      `Standard input: ${issue.keys.join(', ')} is not known. Leave it out.`,
      2,
    )
  if (!(name in credentials))
    throw new CommandError(`Standard input: a line ${name}=… is missing.`, 2)
  throw new CommandError(`${name}: ${issue?.message}`)
}
