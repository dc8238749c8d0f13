import { type Command, type Input, type Progress, SILENT } from '../command.ts'
import type { Config } from '../config/config.ts'
import { lockFolder } from '../control/folder-lock.ts'
import { answerCommand } from './answer-command.ts'
import { asStartError } from './database-start-error.ts'
import { openCommandLog } from './log.ts'
import { requireDatabase } from './lost-database.ts'
import { openApp } from './open-app.ts'
import { requireFolder } from './require-folder.ts'
import { StartError } from './start-error.ts'
import { startWorkers } from './workers.ts'

/** A command with its input, and a function that shows its progress. */
export interface Execution {
  command: Command
  input: Input
  show: (progress: Progress) => void
}

/**
 * Locks the folder of the embedded database and runs the command. Throws a FolderHeldError if another
 * process holds the folder.
 */
export async function executeAlone(settings: Config, execution: Execution): Promise<unknown> {
  if (!execution.command.makesDatabase) await requireDatabase(settings.dataDir)
  await requireFolder('DATA_DIR', settings.dataDir)
  try {
    const folderLock = await lockFolder(settings.dataDir, async () => {
      throw new StartError('Another command is running. Repeat this command when it has ended.', 1)
    })
    return await executeHere(settings, execution).finally(() => folderLock.release())
  } catch (error) {
    throw asStartError(settings, error)
  }
}

/** Opens the database in this process and runs the command. */
export async function executeHere(settings: Config, execution: Execution): Promise<unknown> {
  const { command, input, show } = execution
  // The options are written in the call, so that the compiler refuses an unknown one.
  const { app, close } = await openApp(settings, {
    log: openCommandLog(),
    waitsForConnection: true,
    restores: command.restores,
  })
  try {
    const workers = command.needsWorkers ? startWorkers(app) : undefined
    const request = { command: command.name, input }
    const progress = { ...SILENT, emit: show }
    return await answerCommand(app, [command], request, progress).finally(() => workers?.stop())
  } finally {
    await close()
  }
}
