import type { App } from '../app.ts'
import type { Origin } from '../audit/origin.ts'
import { type Command, CommandError, type CommandOutput } from '../command.ts'
import { Refusal } from '../kernel/errors.ts'

export interface CommandRequest {
  command: string
  input: Record<string, unknown>
}

/**
 * Runs a command in the running server. All caches are cleared afterwards, so the next call sees
 * its changes.
 */
export async function answerCommand(
  app: App,
  commands: readonly Command[],
  { command, input }: CommandRequest,
  output?: CommandOutput,
): Promise<unknown> {
  const known = commands.find((item) => item.name === command)
  if (!known) throw new CommandError(`The running server does not know "${command}"; is it older?`)
  try {
    return await known.run({ ...app, origin: originOf(command) }, input, output)
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(error.message)
    if (!(error instanceof CommandError)) app.log.error({ err: error, command }, 'command failed')
    throw error
  } finally {
    app.caches.clear()
  }
}

/** The actor is the command line; its name is the command, without the input. */
const originOf = (command: string): Origin => ({
  actor: { type: 'command_line', id: null, name: `tradepost ${command}` },
  address: null,
  request_id: null,
})
