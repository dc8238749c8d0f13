import { type Command, CommandError, type Input, SILENT, type Terminal } from '../command.ts'
import type { Config } from '../config/config.ts'
import { askHolder } from '../control/ask-holder.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command that stays at the terminal until it ends or Ctrl+C is pressed. A second Ctrl+C
 * ends the process.
 */
export async function runAtTerminal(
  reach: () => Promise<ReachedProcess>,
  command: Required<Pick<Command, 'runAtTerminal'>>,
  terminal: Pick<Terminal, 'input' | 'json' | 'printLine' | 'paint'>,
): Promise<void> {
  const stop = new AbortController()
  for (const name of STOP_SIGNALS) process.once(name, () => stop.abort())
  // A pipe fails when its reader ends, such as `head`.
  process.stdout.on('error', () => stop.abort())
  const { close, ...reached } = await reach()
  try {
    await command.runAtTerminal({ ...terminal, ...reached, signal: stop.signal })
  } finally {
    await close()
  }
}

/** The process or the API that runs each call of an interactive command. */
export interface ReachedProcess extends Pick<Terminal, 'runOnce' | 'isRemote'> {
  close(): Promise<void>
}

/**
 * Returns a function that runs the command. It connects to the process that holds the embedded database
 * at each call. With a database server, the command runs in this process.
 */
export async function reachProcess(config: Config, command: Command): Promise<ReachedProcess> {
  if (config.databaseUrl) {
    const { answerCommand } = await import('./answer-command.ts')
    const { openCommandLog } = await import('./log.ts')
    const { openApp } = await import('./open-app.ts')
    const { app, close } = await openApp(config, { log: openCommandLog() })
    const runOnce = (input: Input, signal = SILENT.signal) =>
      answerCommand(app, [command], { command: command.name, input }, { ...SILENT, signal })
    return { runOnce, close }
  }
  const runOnce = async (input: Input, signal?: AbortSignal) => {
    const answer = await askHolder(config.dataDir, { command: command.name, input }, { signal })
    if (!answer.answered)
      throw new CommandError('The server is not running. Start it with: tradepost start')
    return answer.value
  }
  return { runOnce, close: async () => {} }
}
