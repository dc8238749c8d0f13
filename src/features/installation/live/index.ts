export { countEndpoints } from './endpoints.ts'
export { type Listener, LiveHub, type LiveTimes } from './live-hub.ts'
