import type { Db } from '../../../db/database.ts'
import { onlyRow, onlyValue } from '../../../db/rows.ts'

interface DatabaseVersion {
  /** The version of PostgreSQL, such as `18.1`. */
  server: string
  /** The name of the newest migration. */
  schema: string
}

/** Reads the version of the server and of the schema. */
export const selectVersion = (db: Db) =>
  onlyRow<DatabaseVersion>(db)`
    select split_part(current_setting('server_version'), ' ', 1) as server,
           (select max(name) from migration) as schema`

/** Returns the clock of the database server, in milliseconds. */
export const selectClock = (db: Db) =>
  onlyValue<number>(db)`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
