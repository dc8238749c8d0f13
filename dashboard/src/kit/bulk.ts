import type { Request } from '../api/action.ts'
import type { StoreContext } from '../api/store.ts'
import type { Field, FormValues } from './fields.tsx'
import type { ListAnswer } from './list-answer.ts'
import type { ExportProps } from './list-export.tsx'
import type { SelectedRows } from './list-selection.ts'

/** An action on the selected records of a list, as data. */
export interface BulkAction<Row> {
  /** Its title with the number of records, such as `Cancel {n} {n:order|orders}`. */
  title: string
  /** The consequence, with the number of records as `{n}`. */
  lead: string | ((rows: readonly Row[]) => string)
  isDanger?: boolean
  fields?: readonly Field[]
  /** True for records whose state allows the action. The others are left out, and stay selected. */
  appliesTo(row: Row): boolean
  /** The request for one record, which is the same as on its page. */
  request(row: Row, values: FormValues): Request
}

/** The records of a list that are selected, and what can be done with them. */
export interface BulkWork<Row> {
  /** The area that the role must be allowed to change. Without that, the records can only be exported. */
  area: string
  /** The name of a record, for its checkbox and for its refusal. */
  labelOf(row: Row): string
  /** Reads a record as it is now, because a refused one may be on a page that is not shown. */
  readAgain(store: StoreContext, row: Row): PromiseLike<Partial<Row>>
  /** Loads the actions, when the first record is selected. */
  load(): Promise<readonly BulkAction<Row>[]>
}

/** The bar of the selected records of a list. */
export interface BulkBarProps<Row> extends ExportProps<Row> {
  bulk: BulkWork<Row>
  selected: SelectedRows<Row>
  /** The shown page of the list; undefined while it is read. */
  list: ListAnswer<Row> | undefined
  hrefOf?: ((row: Row) => string) | undefined
}

/** A reason of the dashboard itself, in its language: a request finds nothing to do for its record, or was given up. */
export class NothingToDo extends Error {}
