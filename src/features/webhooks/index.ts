export { type Dispatcher, startDispatcher } from './dispatch/dispatcher.ts'
