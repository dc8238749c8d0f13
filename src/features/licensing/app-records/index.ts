export {
  type AppTable,
  addUses,
  lockRecord,
  selectActiveRecord,
  selectRecord,
  selectRecords,
  type Uses,
} from './queries.ts'
export { type RecordAndVersion, versionedRecords } from './versioned-records.ts'
