export { loadPatterns } from './check-content.ts'
export { selectSettingsOfApp } from './queries.ts'
export type { RemoteSetting } from './schema.ts'
