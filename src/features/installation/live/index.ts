export { countEndpoints } from './endpoints.ts'
export { type LiveConnection, LiveHub } from './live-hub.ts'
