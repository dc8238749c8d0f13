import { type Command, type Input, type Progress, SILENT } from '../command.ts'
import type { Config } from '../config/config.ts'
import { holdFolder } from '../control/folder-lock.ts'
import { answerCommand } from './answer-command.ts'
import { asRefusal } from './database-refusal.ts'
import { openCommandLog } from './log.ts'
import { needDatabase } from './lost-database.ts'
import { needFolder } from './need-folder.ts'
import { openApp } from './open-app.ts'
import { StartError } from './start-error.ts'
import { startWorkers } from './workers.ts'

/** A command with its input, and where its progress is shown. */
export interface Work {
  command: Command
  input: Input
  show: (progress: Progress) => void
}

/**
 * Takes the folder of the embedded database first; a FolderHeldError names the process that holds
 * it.
 */
export async function executeAlone(settings: Config, work: Work): Promise<unknown> {
  if (!work.command.makesDatabase) await needDatabase(settings.dataDir)
  await needFolder('DATA_DIR', settings.dataDir)
  try {
    const held = await holdFolder(settings.dataDir, async () => {
      throw new StartError('Another command is running; repeat yours.', 1)
    })
    return await executeHere(settings, work).finally(() => held.release())
  } catch (error) {
    throw asRefusal(settings, error)
  }
}

/** Opens the database in this process and runs the command. */
export async function executeHere(settings: Config, work: Work): Promise<unknown> {
  const { command, input, show } = work
  const options = { log: openCommandLog(), patient: true, restores: command.restores }
  const { app, close } = await openApp(settings, options)
  try {
    const workers = command.needsWorkers ? startWorkers(app) : undefined
    const request = { command: command.name, input }
    const progress = { ...SILENT, emit: show }
    return await answerCommand(app, [command], request, progress).finally(() => workers?.stop())
  } finally {
    await close()
  }
}
