export { webhookCommands } from './commands.ts'
export { type Dispatcher, startDispatcher } from './dispatch/dispatcher.ts'
export { removeSilentListenersJob } from './listen/remove-silent-listeners.job.ts'
export { lostByHandJob } from './lost-by-hand.job.ts'
