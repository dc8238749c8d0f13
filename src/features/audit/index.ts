export { type Actor, type Change, recordChanges } from './record-changes.ts'
