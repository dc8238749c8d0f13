import { type Command, CommandError, type Input, SILENT, type Terminal } from '../command.ts'
import type { Config } from '../config/config.ts'
import { askHolder } from '../control/ask-holder.ts'
import { loadWings } from './load-wings.ts'

const LEAVING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command that stays at the terminal until it ends or Ctrl+C is pressed. A second Ctrl+C
 * kills it.
 */
export async function attend(
  settings: Config,
  command: Command & Required<Pick<Command, 'attend'>>,
  terminal: Pick<Terminal, 'input' | 'json' | 'say' | 'paint'>,
): Promise<void> {
  const stop = new AbortController()
  for (const name of LEAVING) process.once(name, () => stop.abort())
  // The reader of a pipe left, as `head` does.
  process.stdout.on('error', () => stop.abort())
  const { ask, close } = await reachProcess(settings, command)
  try {
    await command.attend({ ...terminal, ask, signal: stop.signal })
  } finally {
    await close()
  }
}

/**
 * Connects to the process that holds the embedded database, again for each call. With a database
 * server, the command runs here.
 */
async function reachProcess(
  settings: Config,
  command: Command,
): Promise<Pick<Terminal, 'ask'> & { close(): Promise<void> }> {
  if (settings.databaseUrl) {
    await loadWings()
    const { answerCommand } = await import('./answer-command.ts')
    const { openCommandLog } = await import('./log.ts')
    const { openApp } = await import('./open-app.ts')
    const { app, close } = await openApp(settings, { log: openCommandLog() })
    const ask = (input: Input, signal = SILENT.signal) =>
      answerCommand(app, [command], { command: command.name, input }, { ...SILENT, signal })
    return { ask, close }
  }
  const ask = async (input: Input, signal?: AbortSignal) => {
    const answer = await askHolder(settings.dataDir, { command: command.name, input }, { signal })
    if (!answer.answered)
      throw new CommandError('The shop is closed; open it with: tradepost start')
    return answer.value
  }
  return { ask, close: async () => {} }
}
