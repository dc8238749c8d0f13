import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { refuseDuplicates } from '../../../db/failure.ts'
import { alreadyTaken, checkVersion, requireRecord } from '../../../kernel/errors.ts'
import type { StoreContext } from '../../../store-context.ts'
import { type KeyActor, recordChanges } from '../../installation/index.ts'
import { type ClientApp, lockAppOrDefault } from '../apps/index.ts'
import * as q from './queries.ts'

/** One kind of versioned record of an app. */
interface RecordKind<Row, ApiRecord> {
  table: q.AppTable<Row>
  /** The name of the record in error messages. */
  noun: 'String' | 'File' | 'Setting'
  /** The field that is unique in an app, by the index `<table>_<field>_taken`. */
  unique: 'name' | 'key'
  /**
   * Locks a record for a change. It may also make a write that every change needs. Without this function, and
   * for an empty change, only the row is locked.
   */
  lock?(tx: Tx, storeId: number, id: number): Promise<Row | undefined>
  /** Converts a row to the record that the API and the audit trail show. */
  toRecord(context: StoreContext, row: Row): ApiRecord
}

/** A record, and the version from `If-Match` if the caller sent one. */
export interface RecordAndVersion {
  id: number
  version: number | undefined
}

interface Creation {
  app_id: number | undefined
  /** Writes the row, and returns its id. */
  insert(tx: Tx, app: ClientApp): Promise<number>
}

interface Update<Row> extends RecordAndVersion {
  /** The last part of the audit action; `update` by default. */
  verb?: string
  /** True if the change sets no field, so that nothing is written. */
  isEmpty?: boolean
  /** Writes the columns of the next version. */
  update(tx: Tx, before: Row, next: { version: number; updated_at: string }): Promise<unknown>
}

interface Deletion extends RecordAndVersion {
  remove(tx: Tx, storeId: number, id: number): Promise<unknown>
}

/** Returns the use cases of one kind of record. Each change is a transaction with its audit event. */
export function versionedRecords<Row extends { id: number; version: number }, ApiRecord>({
  table,
  noun,
  unique,
  lock: lockOfKind,
  toRecord,
}: RecordKind<Row, ApiRecord>) {
  const lockRow = (tx: Tx, storeId: number, id: number) => q.lockRecord(tx, storeId, table, id)
  const lock = lockOfKind ?? lockRow
  const select = async (db: Db, context: StoreContext, id: number): Promise<ApiRecord> =>
    toRecord(context, requireRecord(await q.selectRecord(db, context.store.id, table, id), noun))

  /** Writes the audit event of a change, and returns the changed record. */
  async function recordChange(
    tx: Tx,
    context: StoreContext,
    actor: KeyActor,
    { verb, id, before }: { verb: string; id: number; before?: ApiRecord },
  ): Promise<ApiRecord> {
    const after = await select(tx, context, id)
    await recordChanges(tx, context, actor, [
      { ...auditFields(table.name, verb, id), before, after },
    ])
    return after
  }

  async function lockVersion(
    tx: Tx,
    { store }: StoreContext,
    { id, version }: RecordAndVersion,
    lockRecordRow = lock,
  ): Promise<Row> {
    const row = requireRecord(await lockRecordRow(tx, store.id, id), noun)
    checkVersion(row.version, version)
    return row
  }

  const transaction = <T>(context: StoreContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
    refuseDuplicates(
      `${table.name}_${unique}_taken`,
      () => inTransaction(context.db, work),
      () => alreadyTaken(unique, duplicateMessage(noun, unique)),
    )

  return {
    get: (context: StoreContext, id: number): Promise<ApiRecord> => select(context.db, context, id),

    create: (
      context: StoreContext,
      actor: KeyActor,
      { app_id, insert }: Creation,
    ): Promise<ApiRecord> =>
      transaction(context, async (tx) => {
        const id = await insert(tx, await lockAppOrDefault(tx, context, app_id))
        return recordChange(tx, context, actor, { verb: 'create', id })
      }),

    change: (
      context: StoreContext,
      actor: KeyActor,
      { verb = 'update', isEmpty = false, update, ...target }: Update<Row>,
    ): Promise<ApiRecord> =>
      transaction(context, async (tx) => {
        const row = await lockVersion(tx, context, target, isEmpty ? lockRow : lock)
        const before = toRecord(context, row)
        if (isEmpty) return before
        await update(tx, row, { version: row.version + 1, updated_at: context.now })
        return recordChange(tx, context, actor, { verb, id: row.id, before })
      }),

    delete: (context: StoreContext, actor: KeyActor, deletion: Deletion): Promise<void> =>
      transaction(context, async (tx) => {
        const row = await lockVersion(tx, context, deletion)
        await deletion.remove(tx, context.store.id, row.id)
        const before = toRecord(context, row)
        await recordChanges(tx, context, actor, [
          { ...auditFields(table.name, 'delete', row.id), before },
        ])
      }),
  }
}

const auditFields = (record_type: string, verb: string, record_id: number) => ({
  action: `${record_type}.${verb}`,
  record_type,
  record_id,
})

const duplicateMessage = (noun: string, field: string) =>
  `Another ${noun.toLowerCase()} of this app has this ${field}. Use another ${field}.`
