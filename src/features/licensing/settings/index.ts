export { loadRe2 } from './check-content.ts'
export { selectSettingsOfApp } from './queries.ts'
