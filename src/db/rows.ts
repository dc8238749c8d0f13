import { type QueryResult, sql } from 'kysely'
import type { Db, Tx } from './database.ts'
import { REPLAN_COMMENT, SentStatement } from './session.ts'

/**
 * Tags that run a statement: firstRow<Row>(db)`select …`. `Row` is the type of a row, and `Value` that of
 * the only column. A part of a statement is written with `sql`.
 */
const tagOf =
  <Row, Result>(db: Db, read: (result: QueryResult<Row>) => Result) =>
  async (parts: TemplateStringsArray, ...values: unknown[]): Promise<Result> =>
    read(await sql<Row>(parts, ...values).execute(db))

/**
 * The beginning of a statement that is never prepared, so that the server plans each run for the present sizes of the
 * tables and the values of the parameters (decision 67): allRows<Row>(db)`${REPLANNED}select …`.
 */
export const REPLANNED = sql.raw(REPLAN_COMMENT)

/** Runs a statement without a result. */
export const execute = (db: Db) => tagOf(db, () => {})

/**
 * Sends a statement whose result is not needed at once together with the next one of the transaction, or with its commit
 * (decision 449). If it fails, the next one throws its error, so a caller that handles the error must use `execute`.
 */
export const send =
  (tx: Tx) =>
  async (parts: TemplateStringsArray, ...values: unknown[]): Promise<SentStatement> => {
    const sent = new SentStatement()
    const { parameters, ...query } = sql(parts, ...values).compile(tx)
    await tx.executeQuery({ ...query, parameters: [...parameters, sent] })
    return sent
  }

/** Returns the number of rows that the statement inserts, updates or deletes. */
export const changedCount = (db: Db) =>
  tagOf(db, ({ numAffectedRows }) => Number(numAffectedRows ?? 0))

/** Returns true if the statement inserts, updates or deletes a row. */
export const hasChanged = (db: Db) =>
  tagOf(db, ({ numAffectedRows }) => Number(numAffectedRows ?? 0) > 0)

export const allRows = <Row>(db: Db) => tagOf(db, ({ rows }: QueryResult<Row>) => rows)

/** Returns the first row, or undefined if there is none. */
export const firstRow = <Row>(db: Db) => tagOf(db, ({ rows }: QueryResult<Row>) => rows[0])

/** Returns the row of a statement that always returns one. */
export const onlyRow = <Row>(db: Db) => tagOf(db, ({ rows }: QueryResult<Row>) => requireRow(rows))

/** Returns true if the statement returns a row. */
export const hasRows = (db: Db) => tagOf(db, ({ rows }) => rows.length > 0)

type OneColumn<Value> = QueryResult<Record<string, Value>>

export const allValues = <Value>(db: Db) =>
  tagOf(db, ({ rows }: OneColumn<Value>) => rows.map(valueIn))

/** Returns the value of the first row, or undefined if there is none. */
export const firstValue = <Value>(db: Db) =>
  tagOf(db, ({ rows: [row] }: OneColumn<Value>) => row && valueIn(row))

/** Returns the value of a statement that always returns one, such as a count. */
export const onlyValue = <Value>(db: Db) =>
  tagOf(db, ({ rows }: OneColumn<Value>) => valueIn(requireRow(rows)))

function requireRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}

const valueIn = <Value>(row: Record<string, Value>): Value => Object.values(row)[0] as Value
