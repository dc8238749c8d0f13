import type { App } from '../app.ts'
import type { Origin } from '../audit/origin.ts'
import { type Command, CommandError, type CommandOutput, inputName } from '../command.ts'
import type { ControlRequest } from '../control/protocol.ts'
import { Refusal } from '../kernel/errors.ts'

/**
 * Runs a command in the running server. All caches are cleared afterwards, so that the next call reads
 * its changes.
 */
export async function answerCommand(
  app: App,
  commands: readonly Command[],
  { command, input }: ControlRequest,
  output?: CommandOutput,
): Promise<unknown> {
  const definition = commands.find((item) => item.name === command)
  if (!definition)
    throw new CommandError(
      `The running server does not have the command "${command}". Restart it with this version.`,
    )
  refuseUnknownInput(definition, input)
  try {
    return await definition.run({ ...app, origin: originOf(command) }, input, output)
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(error.message)
    if (!(error instanceof CommandError)) app.log.error({ err: error, command }, 'command failed')
    throw error
  } finally {
    app.caches.clear()
  }
}

/** Refuses an option that only a newer command line has, because a command without it could do something else. */
function refuseUnknownInput(
  { name, args = [], options = [], internalInputs = [] }: Command,
  input: ControlRequest['input'],
): void {
  const flags = [...args, ...options.map((option) => option.flags)]
  const knownNames = new Set([...flags.map(inputName), ...internalInputs])
  const unknownName = Object.keys(input).find(
    (key) => input[key] !== undefined && !knownNames.has(key),
  )
  if (unknownName === undefined) return
  throw new CommandError(
    `The running server does not have the option "${unknownName}" of "${name}". Restart it with this version.`,
  )
}

/** The origin of changes by a command. The name of the actor is the command without its input. */
const originOf = (command: string): Origin => ({
  actor: { type: 'command_line', id: null, name: `tradepost ${command}` },
  address: null,
  request_id: null,
})
